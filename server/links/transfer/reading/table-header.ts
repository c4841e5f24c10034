import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { unescapeFormula } from '../../../../shared/csv-injection.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import type { CsvFormat } from '../formats/format.ts';

/** Spreadsheets use the list separator of the user's region. */
const DELIMITERS = [',', ';', '\t'];
const HEADER_MAX_CHARACTERS = 8 * 1024;

type Header = {
  delimiter: string;
  /** The name of each column; undefined for unknown ones. */
  columns: (string | undefined)[];
  unknown: string[];
};

/**
 * The delimiter with which the header has the required columns, and the name of each column.
 *
 * @throws ServiceError `invalid_request` if a column is missing, or unknown in Curt's own table
 */
export function readHeader(start: string, format: CsvFormat): Header {
  const header = findHeader(start, format);
  if (!header) {
    throw new ServiceError(
      'invalid_request',
      `The first row must be a header with the columns ${format.required.join(' and ')}.`,
    );
  }
  if (format.isOwn && header.unknown.length > 0) {
    throw new ServiceError(
      'invalid_request',
      `The table has unknown columns: ${header.unknown.slice(0, 5).join(', ').slice(0, 200)}. Check their names, or remove them.`,
    );
  }
  return header;
}

/** The header of a text, if it has the required columns. */
export function findHeader(start: string, { columns, required }: CsvFormat): Header | undefined {
  const line = /^[^\r\n]*/.exec(start.slice(0, HEADER_MAX_CHARACTERS))?.[0] ?? '';
  const names = new Map(
    Object.entries(columns).flatMap(([name, others]) =>
      [name, ...others].map((spelling) => [normalize(spelling), name]),
    ),
  );
  for (const delimiter of DELIMITERS) {
    const cells = toCells(line, delimiter);
    const header = cells.map((cell) => names.get(normalize(cell)));
    if (!required.every((name) => header.includes(name))) continue;
    const unknown = cells.filter((cell, index) => header[index] === undefined && cell !== '');
    return { delimiter, columns: header, unknown };
  }
  return undefined;
}

function toCells(line: string, delimiter: string): string[] {
  try {
    return parse(line, { delimiter, relax_quotes: true }).flat();
  } catch (error) {
    throw error instanceof CsvError ? invalidTable(0) : error;
  }
}

function normalize(name: string): string {
  return unescapeFormula(name)
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

/** @param row the last one that is complete */
export function invalidTable(row: number): ServiceError {
  return new ServiceError(
    'invalid_request',
    `The table is invalid or incomplete: the row after row ${row} does not end. Nothing was imported.`,
  );
}
