import { IMPORT_BODY_MAX_BYTES, IMPORT_ROWS_MAX } from '../../../../shared/bounds.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { isNothing } from '../meaning/cells.ts';

/** More would be no list of links, and take memory in each row. */
export const COLUMNS_MAX = 200;

/** Larger than all fields of a link together, and small enough to be validated at once. */
export const ROW_MAX_CHARACTERS = 128 * 1024;
/** Of a column. Tables repeat it in what they say of each row. */
export const NAME_MAX_CHARACTERS = 200;

/** A row before anybody knows what its columns mean: cells of a table, or the JSON of an object. */
export type RawRow = { row: number } & (
  | { cells: string[] }
  | { json: string }
  | { problem: string }
);

/** A file as columns and rows, however it was written. */
export type FileTable = {
  kind: 'table' | 'json' | 'bookmarks' | 'list';
  /** In the order of the file. */
  columns: string[];
  rows: RawRow[];
  /** Whether the file says that it is an export of Curt. */
  isOfCurt?: boolean;
};

/** As names of columns are compared. */
export function normalizeName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_?:-]/g, '');
}

/** Objects with keys of their users. */
const WHOLE_OBJECTS = new Set(['geo', 'card', 'newerFields', 'tags']);
const DEPTH_MAX = 3;

/** Returns the values of a row by column; those of nested objects as `meta.validUntil`. */
export function valuesOf(row: { cells: string[] } | { json: string }, columns: string[]) {
  if ('json' in row) return flatten(JSON.parse(row.json));
  return new Map<string, unknown>(columns.map((name, index) => [name, row.cells[index] ?? '']));
}

export function flatten(object: object): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const add = (part: object, prefix: string, depth: number) => {
    for (const [key, value] of Object.entries(part)) {
      const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
      if (isNested && depth < DEPTH_MAX && !WHOLE_OBJECTS.has(key)) {
        add(value, `${prefix}${key}.`.slice(0, NAME_MAX_CHARACTERS), depth + 1);
      } else {
        values.set((prefix + key).slice(0, NAME_MAX_CHARACTERS), value);
      }
    }
  };
  add(object, '', 1);
  return values;
}

/** Rows whose values tell what a column is. */
const SAMPLE_ROWS = 50;

export type Samples = ReturnType<typeof createSamples>;

/** The values of the first rows, as texts. */
export function createSamples(valuesOfRows: () => Iterable<Map<string, unknown>>) {
  const byColumn = new Map<string, string[]>();
  let rows = 0;
  for (const values of valuesOfRows()) {
    if (++rows > SAMPLE_ROWS) break;
    for (const [name, value] of values) {
      if (isNothing(value)) continue;
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      const texts = byColumn.get(name);
      if (texts) texts.push(text.trim());
      else byColumn.set(name, [text.trim()]);
    }
  }
  const of = (name: string) => byColumn.get(name) ?? [];
  const all = (name: string, isSo: (text: string) => boolean) =>
    of(name).length > 0 && of(name).every(isSo);
  const most = (name: string, isSo: (text: string) => boolean) =>
    of(name).filter(isSo).length > of(name).length / 2;
  return { of, all, most };
}

/** Collects the rows of a file. Some have more than the file: each bookmark has the names of its folders. */
export type RowList = ReturnType<typeof createRowList>;

/**
 * @param hold called with all that the rows take so far; can throw
 */
export function createRowList(hold: (bytes: number) => void) {
  const rows: RawRow[] = [];
  let bytes = 0;
  return {
    rows,
    /** @throws ServiceError `body_too_large` if a row or all of them take more than a file can have */
    add(raw: RawRow): void {
      const size = sizeOf(raw);
      if (size > ROW_MAX_CHARACTERS) throw rowTooLarge(raw.row);
      bytes += size;
      if (bytes > IMPORT_BODY_MAX_BYTES) {
        throw new ServiceError(
          'body_too_large',
          `The rows up to row ${raw.row} have too much text, such as long names of folders, which each bookmark repeats. Shorten it, or split the file before that row. Nothing was imported.`,
        );
      }
      hold(bytes);
      rows.push(raw);
    },
  };
}

function sizeOf(raw: RawRow): number {
  if ('problem' in raw) return raw.problem.length;
  if ('json' in raw) return raw.json.length;
  return raw.cells.reduce((sum, cell) => sum + cell.length, 0);
}

/** @param row the one that is too large */
export function rowTooLarge(row: number): ServiceError {
  return new ServiceError(
    'body_too_large',
    `Row ${row} is too large for a link: it has more than ${ROW_MAX_CHARACTERS / 1024} kB. Shorten or remove it. Nothing was imported.`,
  );
}

/**
 * @param rows how many the file has so far, empty ones included
 * @throws ServiceError `body_too_large`
 */
export function assertRowCount(rows: number): void {
  if (rows <= IMPORT_ROWS_MAX) return;
  throw new ServiceError(
    'body_too_large',
    `The file has more than ${IMPORT_ROWS_MAX} rows, empty ones included. Split it into several files. Nothing was imported.`,
  );
}
