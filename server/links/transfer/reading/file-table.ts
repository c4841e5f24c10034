import { IMPORT_ROWS_MAX } from '../../../../shared/limits.ts';
import { ServiceError } from '../../../lib/service-error.ts';

/** More would be no list of links, and take memory in each row. */
export const COLUMNS_MAX = 200;

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

/** Objects with keys of their users. */
const WHOLE_OBJECTS = new Set(['geo', 'card', 'newerFields']);
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
        add(value, `${prefix}${key}.`, depth + 1);
      } else {
        values.set(prefix + key, value);
      }
    }
  };
  add(object, '', 1);
  return values;
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
