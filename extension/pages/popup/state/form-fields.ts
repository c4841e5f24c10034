import {
  ALIAS_PATTERN,
  CONTAINER_PATTERN,
  WAIT_TIMER_MAX_SECONDS,
} from '../../../../shared/limits.ts';
import type { ShortenRequest } from '../../../../shared/shorten-request.ts';
import { t } from '../../../i18n/translate.ts';
import { fitDescription, fitTitle } from '../../../links/truncate.ts';

export const EXPIRY_UNITS = {
  minutes: 'unit_minutes',
  hours: 'unit_hours',
  days: 'unit_days',
} as const;
export type ExpiryUnit = keyof typeof EXPIRY_UNITS;

/** Durations to choose with one click. */
export const EXPIRY_PRESETS = {
  '1h': { amount: 1, unit: 'hours' },
  '1d': { amount: 1, unit: 'days' },
  '7d': { amount: 7, unit: 'days' },
  '30d': { amount: 30, unit: 'days' },
} as const satisfies Record<string, { amount: number; unit: ExpiryUnit }>;
export type ExpiryPreset = keyof typeof EXPIRY_PRESETS;

/** The form's values, as text. */
export type FormFields = {
  alias: string;
  password: string;
  expiryKind: 'never' | ExpiryPreset | 'date' | 'duration';
  /** The value of `<input type="datetime-local">`: local time without an offset. */
  expiryDate: string;
  expiryAmount: string;
  expiryUnit: ExpiryUnit;
  waitSeconds: string;
  container: string;
  title: string;
  description: string;
};
export type FieldName = keyof FormFields;

/** Error messages by field, in the user's language. */
export type FieldIssues = Partial<Record<FieldName, string>>;

/** Form fields by the names that the API uses. */
const FIELD_OF_PATH: Record<string, FieldName> = {
  customAlias: 'alias',
  password: 'password',
  waitTimer: 'waitSeconds',
  customGtmId: 'container',
  title: 'title',
  description: 'description',
};

/** An empty form, with the page's title filled in. */
export function fieldsFor(pageTitle: string): FormFields {
  return {
    alias: '',
    password: '',
    expiryKind: 'never',
    expiryDate: '',
    expiryAmount: '',
    expiryUnit: 'days',
    waitSeconds: '',
    container: '',
    title: fitTitle(pageTitle),
    description: '',
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
  const issues: FieldIssues = {};
  const request: ShortenRequest = { originalUrl };

  if (fields.password) request.password = fields.password;
  if (fields.title.trim()) request.title = fitTitle(fields.title);
  if (fields.description.trim()) request.description = fitDescription(fields.description);

  const alias = fields.alias.trim();
  if (alias) request.customAlias = alias;
  if (alias && !ALIAS_PATTERN.test(alias)) issues.alias = t('field_alias_invalid');

  const container = fields.container.trim();
  if (container) request.customGtmId = container;
  if (container && !CONTAINER_PATTERN.test(container)) {
    issues.container = t('field_container_invalid');
  }

  if (fields.waitSeconds.trim()) {
    const seconds = Number(fields.waitSeconds);
    request.waitTimer = seconds;
    if (!(seconds >= 0 && seconds <= WAIT_TIMER_MAX_SECONDS)) {
      issues.waitSeconds = t('field_wait_invalid', String(WAIT_TIMER_MAX_SECONDS));
    }
  }

  if (fields.expiryKind === 'date') {
    const date = new Date(fields.expiryDate);
    if (Number.isNaN(date.getTime())) issues.expiryDate = t('field_expiry_missing');
    else if (date.getTime() <= nowMs) issues.expiryDate = t('expires_in_past_text');
    else request.expiresAt = date.toISOString();
  }
  if (isPreset(fields.expiryKind)) {
    const { amount, unit } = EXPIRY_PRESETS[fields.expiryKind];
    request[expiryField(unit)] = amount;
  }
  if (fields.expiryKind === 'duration') {
    const amount = Number(fields.expiryAmount);
    request[expiryField(fields.expiryUnit)] = amount;
    if (!fields.expiryAmount.trim()) issues.expiryAmount = t('field_expiry_missing');
    else if (!Number.isFinite(amount)) issues.expiryAmount = t('field_number_invalid');
    else if (amount <= 0) issues.expiryAmount = t('expires_in_past_text');
  }
  return Object.keys(issues).length > 0 ? { ok: false, issues } : { ok: true, request };
}

/** The server's issues by form field. Issues that belong to no field are left out. */
export function issuesByField(issues: { path: string }[], { expiryKind }: FormFields): FieldIssues {
  const found: FieldIssues = {};
  for (const { path } of issues) {
    const field = path.startsWith('expires') ? expiryFieldShown(expiryKind) : FIELD_OF_PATH[path];
    if (field) found[field] = t('field_rejected');
  }
  return found;
}

export function expiryFieldShown(kind: FormFields['expiryKind']): FieldName {
  return kind === 'duration' ? 'expiryAmount' : 'expiryDate';
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
