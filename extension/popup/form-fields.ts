import { DESCRIPTION_MAX_CHARACTERS } from '../../shared/limits.ts';
import type { ShortenRequest } from '../../shared/shorten-request.ts';
import { clip, fitTitle } from '../fit-title.ts';
import type { PlainKey } from '../i18n.ts';

export const EXPIRY_UNITS = {
  minutes: 'unit_minutes',
  hours: 'unit_hours',
  days: 'unit_days',
} as const;
export type ExpiryUnit = keyof typeof EXPIRY_UNITS;

/** What stands in the form, as text. */
export type FormFields = {
  alias: string;
  password: string;
  expiryKind: 'never' | 'date' | 'duration';
  /** As `<input type="datetime-local">` has it: local time without an offset. */
  expiryDate: string;
  expiryAmount: string;
  expiryUnit: ExpiryUnit;
  waitSeconds: string;
  container: string;
  title: string;
  description: string;
};
export type FieldName = keyof FormFields;

/** What is wrong with a field: a text of ours by its key, or the server's own sentence. */
export type FieldIssue = { key: PlainKey } | { sentence: string };
export type FieldIssues = Partial<Record<FieldName, FieldIssue>>;

/** The endpoint's fields by those of the form. */
const FIELD_OF_PATH: Record<string, FieldName> = {
  customAlias: 'alias',
  password: 'password',
  waitTimer: 'waitSeconds',
  customGtmId: 'container',
  title: 'title',
  description: 'description',
};

/** An empty form for a page, with its title in it. */
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

/** The request that the form asks for; or what must be put right before it is one. */
export function toRequest(
  originalUrl: string,
  fields: FormFields,
): { ok: true; request: ShortenRequest } | { ok: false; issues: FieldIssues } {
  const issues: FieldIssues = {};
  const request: ShortenRequest = { originalUrl };

  if (fields.alias.trim()) request.customAlias = fields.alias.trim();
  if (fields.password) request.password = fields.password;
  if (fields.container.trim()) request.customGtmId = fields.container.trim();
  if (fields.title.trim()) request.title = fields.title.trim();
  if (fields.description.trim())
    request.description = clip(fields.description.trim(), DESCRIPTION_MAX_CHARACTERS);

  if (fields.waitSeconds.trim()) {
    const seconds = Number(fields.waitSeconds);
    if (Number.isFinite(seconds)) request.waitTimer = seconds;
    else issues.waitSeconds = { key: 'field_number_invalid' };
  }

  if (fields.expiryKind === 'date') {
    const date = new Date(fields.expiryDate);
    if (Number.isNaN(date.getTime())) issues.expiryDate = { key: 'field_expiry_missing' };
    else request.expiresAt = date.toISOString();
  }
  if (fields.expiryKind === 'duration') {
    const amount = Number(fields.expiryAmount);
    if (!fields.expiryAmount.trim()) issues.expiryAmount = { key: 'field_expiry_missing' };
    else if (!Number.isFinite(amount)) issues.expiryAmount = { key: 'field_number_invalid' };
    else request[expiryField(fields.expiryUnit)] = amount;
  }
  return Object.keys(issues).length > 0 ? { ok: false, issues } : { ok: true, request };
}

/** The server's issues at the fields of the form; those of no field are left out. */
export function issuesByField(
  issues: { path: string; message: string }[],
  { expiryKind }: FormFields,
): FieldIssues {
  const found: FieldIssues = {};
  for (const { path, message } of issues) {
    const field = path.startsWith('expires') ? expiryFieldShown(expiryKind) : FIELD_OF_PATH[path];
    if (field) found[field] ??= { sentence: message };
  }
  return found;
}

export function expiryFieldShown(kind: FormFields['expiryKind']): FieldName {
  return kind === 'duration' ? 'expiryAmount' : 'expiryDate';
}

function expiryField(unit: ExpiryUnit) {
  const byUnit = {
    minutes: 'expiresInMinutes',
    hours: 'expiresInHours',
    days: 'expiresInDays',
  } as const;
  return byUnit[unit];
}
