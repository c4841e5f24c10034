import { t } from '../../i18n/translate.ts';
import { ALIAS_PATTERN } from '../../limits.ts';
import type { PlainField } from '../../links/fields.ts';
import type { ShortenRequest } from '../../links/shorten-request.ts';
import { fitTitle } from '../../links/truncate.ts';
import { readTypedUrl } from '../../links/url-in-text.ts';
import {
  type DestinationIssues,
  destinationFieldOf,
  destinationIssues,
  EMPTY_DESTINATIONS,
  newDestinations,
} from './destination-inputs.ts';
import { EMPTY_INPUTS, inputIssues, newFields, plainFieldOf } from './field-inputs.ts';
import type { ExpiryUnit, FormFields } from './form-fields.ts';

/** Durations to choose with one click. */
export const EXPIRY_PRESETS = {
  '1h': { amount: 1, unit: 'hours' },
  '1d': { amount: 1, unit: 'days' },
  '7d': { amount: 7, unit: 'days' },
  '30d': { amount: 30, unit: 'days' },
} as const satisfies Partial<
  Record<FormFields['expiryKind'], { amount: number; unit: ExpiryUnit }>
>;
type ExpiryPreset = keyof typeof EXPIRY_PRESETS;

/** A whole number of 1 or more. */
export const VISIT_LIMIT = /^[1-9]\d{0,14}$/;

export type FieldName = keyof FormFields;

/** Error messages by field, in the user's language. */
export type FieldIssues = Partial<Record<FieldName, string>> & DestinationIssues;

/** The form's own fields by the names that the API uses. */
const FIELD_OF_PATH = new Map(
  Object.entries<FieldName>({
    customAlias: 'alias',
    domain: 'alias',
    password: 'password',
    maxVisits: 'maxVisits',
  }),
);

/** An empty form, with the page's title filled in. */
export function fieldsFor(pageTitle: string): FormFields {
  return {
    alias: '',
    domain: '',
    password: '',
    expiryKind: 'never',
    expiryDate: '',
    expiryAmount: '',
    expiryUnit: 'days',
    maxVisits: '',
    ...EMPTY_INPUTS,
    ...EMPTY_DESTINATIONS,
    title: fitTitle(pageTitle),
  };
}

/**
 * The form's values as a request, or every issue that can be found without the server. The server
 * still validates the request.
 */
export function toRequest(
  originalUrl: string,
  fields: FormFields,
  nowMs: number,
): { ok: true; request: ShortenRequest } | { ok: false; issues: FieldIssues } {
  const own = parseOwnFields(fields, nowMs);
  const issues = { ...own.issues, ...inputIssues(fields), ...destinationIssues(fields) };
  if (Object.keys(issues).length > 0) return { ok: false, issues };
  return {
    ok: true,
    request: {
      originalUrl: readTypedUrl(originalUrl),
      ...own.request,
      ...newFields(fields),
      ...newDestinations(fields),
    },
  };
}

/** The fields with rules of their own. */
export function parseOwnFields(fields: FormFields, nowMs: number) {
  const issues: FieldIssues = {};
  const request: Omit<Partial<ShortenRequest>, PlainField | 'originalUrl'> = {};

  if (fields.password) request.password = fields.password;

  if (fields.domain) request.domain = fields.domain;

  const alias = fields.alias.trim();
  if (alias) request.customAlias = alias;
  if (alias && !ALIAS_PATTERN.test(alias)) issues.alias = t('field_alias_invalid');

  const maxVisits = fields.maxVisits.trim();
  if (maxVisits) request.maxVisits = Number(maxVisits);
  if (maxVisits && !VISIT_LIMIT.test(maxVisits)) issues.maxVisits = t('field_max_visits_invalid');

  if (isPreset(fields.expiryKind)) {
    const { amount, unit } = EXPIRY_PRESETS[fields.expiryKind];
    request[expiryField(unit)] = amount;
  }
  if (fields.expiryKind === 'custom') {
    const { expiry, issue } = parseCustomExpiry(fields, nowMs);
    Object.assign(request, expiry);
    if (issue) issues[customExpiryField(fields)] = issue;
  }
  return { request, issues };
}

/** The form's field for a name of the API. A preset expiry has no field. */
export function fieldOf(path: string, fields: FormFields): keyof FieldIssues | undefined {
  if (!path.startsWith('expires')) {
    return plainFieldOf(path) ?? destinationFieldOf(path) ?? FIELD_OF_PATH.get(path);
  }
  return fields.expiryKind === 'custom' ? customExpiryField(fields) : undefined;
}

/** The field that sets a custom expiry: the form never has both a date and a duration. */
function customExpiryField({ expiryDate }: FormFields): FieldName {
  return expiryDate ? 'expiryDate' : 'expiryAmount';
}

type CustomExpiry = { expiry?: Partial<ShortenRequest>; issue?: string };

function parseCustomExpiry(fields: FormFields, nowMs: number): CustomExpiry {
  if (fields.expiryDate) {
    const date = new Date(fields.expiryDate);
    if (Number.isNaN(date.getTime())) return { issue: t('field_expiry_missing') };
    if (date.getTime() <= nowMs) return { issue: t('expires_in_past_text') };
    return { expiry: { expiresAt: date.toISOString() } };
  }
  if (!fields.expiryAmount.trim()) return { issue: t('field_expiry_missing') };
  const amount = Number(fields.expiryAmount);
  if (!Number.isFinite(amount)) return { issue: t('field_number_invalid') };
  if (amount <= 0) return { issue: t('expires_in_past_text') };
  return { expiry: { [expiryField(fields.expiryUnit)]: amount } };
}

function isPreset(kind: FormFields['expiryKind']): kind is ExpiryPreset {
  return kind in EXPIRY_PRESETS;
}

function expiryField(unit: ExpiryUnit) {
  const byUnit = {
    minutes: 'expiresInMinutes',
    hours: 'expiresInHours',
    days: 'expiresInDays',
  } as const;
  return byUnit[unit];
}
