import Papa from 'papaparse';
import { FORMULA, unescapeFormula } from '../../../shared/csv-injection.ts';
import type { ListedLink } from '../link.ts';
import {
  type EntryIssue,
  READ_FIELDS,
  type ReadFile,
  readEntry,
  toEntry,
  WRITTEN_FIELDS,
  type WrittenEntry,
} from './entry.ts';

/** Spreadsheets need it to detect UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';
/** Spreadsheets use the list separator of the user's region. */
const DELIMITERS = [',', ';', '\t'];
const YES = /^(yes|true|1)$/i;
const NO = /^(no|false|0|)$/i;

/** Writes RFC 4180 with a header. All cells are quoted, and formulas start with an apostrophe. */
export function writeCsv(links: ListedLink[]): string {
  const rows = links.map((link) => {
    const entry = toEntry(link);
    return WRITTEN_FIELDS.map((field) => toCell(entry[field]));
  });
  const options = { quotes: true, newline: '\r\n', escapeFormulae: FORMULA };
  const table = Papa.unparse({ fields: WRITTEN_FIELDS, data: rows }, options);
  return `${BYTE_ORDER_MARK}${table}\r\n`;
}

export function readCsv(text: string): ReadFile {
  const content = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const delimiter = DELIMITERS.find((one) => headerOf(content, one).includes('shorturl'));
  if (!delimiter) return { ok: false, code: 'file_foreign' };
  const header = headerOf(content, delimiter);
  const links: ListedLink[] = [];
  const issues: EntryIssue[] = [];
  let line = 1;
  let end = 0;
  // Not with the parser's own `header`: it doesn't report where the first row starts, and the line of
  // each issue is counted from there.
  Papa.parse<string[]>(content, {
    delimiter,
    transform: unescapeFormula,
    step({ data: row, errors, meta }) {
      const place = line;
      line += linesIn(content.slice(end, meta.cursor));
      end = meta.cursor;
      if (place === 1 || (row.length === 1 && row[0]?.trim() === '')) return;
      const read = errors.length > 0 ? { fields: [] } : readEntry(toRaw(header, row));
      if ('link' in read) links.push(read.link);
      else issues.push({ place, fields: read.fields });
    },
  });
  return { ok: true, places: 'lines', links, issues };
}

/** The column names in lowercase. */
function headerOf(text: string, delimiter: string): string[] {
  const options = { delimiter, preview: 1, transform: unescapeFormula };
  const [header = []] = Papa.parse<string[]>(text, options).data;
  return header.map((cell) => cell.trim().toLowerCase());
}

function toCell(value: WrittenEntry[keyof WrittenEntry]): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value ?? '');
}

/** Converts a row to an entry with typed fields. Empty cells are omitted. */
function toRaw(header: string[], row: string[]): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  for (const field of READ_FIELDS) {
    const cell = row[header.indexOf(field.toLowerCase())] ?? '';
    if (cell === '') continue;
    if (field === 'waitTimerSeconds') raw[field] = Number(cell);
    else if (field === 'hasPassword') raw[field] = YES.test(cell) || (NO.test(cell) ? false : cell);
    else raw[field] = cell;
  }
  return raw;
}

function linesIn(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
