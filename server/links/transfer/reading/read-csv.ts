import { finished } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { unescapeFormula } from '../../../../shared/csv-injection.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import type { CsvFormat } from '../formats/format.ts';
import { assertRowCount, type RawRow } from './raw-row.ts';
import { ROW_MAX_CHARACTERS } from './read-text.ts';

/** Spreadsheets use the list separator of the user's region. */
const DELIMITERS = [',', ';', '\t'];
const HEADER_MAX_CHARACTERS = 8 * 1024;

/**
 * The rows of a table, as objects with the cells of known columns. The header is row 1, as in
 * spreadsheets.
 *
 * @throws ServiceError `invalid_request` if a column is missing or the text is invalid or incomplete
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  format: CsvFormat,
): AsyncGenerator<RawRow> {
  const iterator = text[Symbol.asyncIterator]();
  const start = await readStart(iterator);
  const { delimiter, columns } = readHeader(start, format);
  let row = 0;
  let pending: RawRow[] = [];
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    // A quote that is never closed takes in all further rows.
    max_record_size: ROW_MAX_CHARACTERS,
    // Here, and not from the stream, which would have queued all rows of a chunk before one is counted.
    on_record: (cells: string[]) => {
      if (row++ === 0) return;
      assertRowCount(row - 1);
      const isEmpty = cells.every((cell) => cell.trim() === '');
      if (!isEmpty) pending.push(toRow(row, cells, columns, format));
    },
  });
  // The calls below fail with the error, too.
  parser.on('error', () => {});
  const write = (part: string) =>
    new Promise<void>((resolve, reject) => {
      parser.write(part, (error) => (error ? reject(error) : resolve()));
    });
  let lineLength = 0;
  try {
    let part: IteratorResult<string> = { value: start };
    while (!part.done) {
      lineLength = lengthOfLastLine(part.value, lineLength);
      if (lineLength > ROW_MAX_CHARACTERS) throw invalidCsv(parser.info.records);
      await write(part.value);
      yield* pending;
      pending = [];
      part = await iterator.next();
    }
    await finished(parser.end(), { readable: false });
    yield* pending;
  } catch (error) {
    throw error instanceof CsvError ? invalidCsv(parser.info.records) : error;
  }
}

/** The parser's limit does not count empty cells. */
function lengthOfLastLine(text: string, before: number): number {
  const lineBreak = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return lineBreak === -1 ? before + text.length : text.length - lineBreak;
}

/** The text up to the end of the header at least. */
async function readStart(iterator: AsyncIterator<string>): Promise<string> {
  let text = '';
  while (!/[\r\n]/.test(text) && text.length < HEADER_MAX_CHARACTERS) {
    const next = await iterator.next();
    if (next.done) break;
    text += next.value;
  }
  return text;
}

/** The delimiter with which the header has the required columns, and the name of each column. */
function readHeader(start: string, { columns, required, isOwn = false }: CsvFormat) {
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
    if (isOwn && unknown.length > 0) {
      throw new ServiceError(
        'invalid_request',
        `The table has unknown columns: ${unknown.slice(0, 5).join(', ').slice(0, 200)}. Check their names, or remove them.`,
      );
    }
    return { delimiter, columns: header };
  }
  throw new ServiceError(
    'invalid_request',
    `The first row must be a header with the columns ${required.join(' and ')}.`,
  );
}

function toCells(line: string, delimiter: string): string[] {
  try {
    return parseSync(line, { delimiter, relax_quotes: true }).flat();
  } catch (error) {
    throw error instanceof CsvError ? invalidCsv(0) : error;
  }
}

function toRow(
  row: number,
  cells: string[],
  columns: (string | undefined)[],
  { isOwn = false }: CsvFormat,
): RawRow {
  if (cells.length !== columns.length) {
    const problem = `The row has ${cells.length} cells, but the header has ${columns.length}.`;
    return { row, problem };
  }
  const value: Record<string, string> = {};
  for (const [index, name] of columns.entries()) {
    const cell = isOwn ? unescapeFormula(cells[index] ?? '') : (cells[index] ?? '');
    if (name !== undefined && (isOwn || cell !== '')) value[name] ??= cell;
  }
  return { row, value };
}

function normalize(name: string): string {
  return unescapeFormula(name)
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

function invalidCsv(row: number): ServiceError {
  return new ServiceError(
    'invalid_request',
    `The table is invalid or incomplete: the row after row ${row} does not end. Nothing was imported.`,
  );
}
