import type { FailureText } from '../../i18n/failure-text.ts';
import { type PlainKey, t } from '../../i18n/translate.ts';
import type { ImportedRow, ImportField } from '../../links/transfer.ts';
import { CHOSEN_FIELDS, type ImportSource, SOURCE_NAMES } from '../../links/transfer-formats.ts';

export const STATUS_LABELS = {
  imported: 'import_status_imported',
  renamed: 'import_status_renamed',
  updated: 'import_status_updated',
  duplicate: 'import_status_duplicate',
  failed: 'import_status_failed',
} as const satisfies Record<ImportedRow['status'], PlainKey>;

const FIELD_LABELS = {
  originalUrl: 'field_target',
  shortUrl: 'import_field_short_url',
  alias: 'sort_alias',
  domain: 'field_domain',
  label: 'field_label',
  title: 'field_title',
  description: 'field_description',
  tags: 'field_tags',
  created: 'import_field_created',
  startsAt: 'field_starts_at',
  expiresAt: 'field_expiry',
  maxVisits: 'field_max_visits',
  visitsLeft: 'import_field_visits_left',
  hits: 'import_field_hits',
  isActive: 'import_field_active',
  paused: 'import_field_paused',
  status: 'import_field_status',
  password: 'field_password',
  goneUrl: 'field_gone_url',
} as const satisfies Record<(typeof CHOSEN_FIELDS)[number], PlainKey>;

const KIND_LABELS = {
  bookmarks: 'import_source_bookmarks',
  list: 'import_source_list',
  csv: 'import_source_csv',
} as const;

export function sourceName(source: ImportSource): string {
  return source in KIND_LABELS
    ? t(KIND_LABELS[source as keyof typeof KIND_LABELS])
    : SOURCE_NAMES[source];
}

/** Returns the choices of a column's meaning. One that people do not choose keeps its name in the API. */
export function meaningChoices(field: ImportField | null) {
  const isListed = field === null || (CHOSEN_FIELDS as readonly string[]).includes(field);
  return [
    { value: '', label: t('import_ignore') },
    ...CHOSEN_FIELDS.map((value) => ({ value: value as string, label: t(FIELD_LABELS[value]) })),
    ...(isListed ? [] : [{ value: field as string, label: field as string }]),
  ];
}

/** The server's message says what is wrong with the file, which no code can. */
export function importFailure(
  { code, message = '' }: { code: string; message?: string | undefined },
  otherwise: FailureText,
): FailureText {
  const isAboutFile = ['invalid_request', 'invalid_json', 'body_too_large'].includes(code);
  return isAboutFile ? { title: t('import_failed'), text: message, isEnglish: true } : otherwise;
}
