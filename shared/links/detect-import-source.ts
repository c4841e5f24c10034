import type { ImportSource } from './transfer-formats.ts';

/** Field names that only the files of one service have. */
const JSON_FIELDS: [ImportSource, RegExp][] = [
  ['shlink', /"shortCode"\s*:/],
  ['bitly', /"long_url"\s*:/],
  ['yourls', /"shorturl"\s*:/],
  ['kutt', /"visit_count"\s*:|"address"\s*:/],
];
const CSV_COLUMNS: [ImportSource, RegExp][] = [
  ['shlink', /\bshort[ _-]?code\b/i],
  ['yourls', /\bkeyword\b/i],
  ['bitly', /\b(?:bitlink|long[ _-]?url|destination)\b/i],
];

/** How much of a file tells where it comes from. */
export const DETECTION_BYTES = 16 * 1024;

/**
 * Finds out what a file was exported from.
 *
 * @param start the first part of its text
 */
export function detectImportSource(start: string): ImportSource {
  const text = start.trimStart();
  const isJson = text.startsWith('{') || text.startsWith('[');
  const [header = ''] = text.split(/\r?\n/);
  const found = isJson
    ? JSON_FIELDS.find(([, field]) => field.test(text))
    : CSV_COLUMNS.find(([, column]) => column.test(header));
  return found?.[0] ?? (isJson ? 'curt' : 'csv');
}
