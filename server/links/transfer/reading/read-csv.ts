import { finished } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { unescapeFormula } from '../../../../shared/csv-injection.ts';
import type { CsvFormat } from '../formats/format.ts';
import { assertRowCount, type RawRow } from './raw-row.ts';
import { ROW_MAX_CHARACTERS } from './read-text.ts';
import { invalidTable, readHeader } from './table-header.ts';

/**
 * The rows of a table, as objects with the cells of known columns. The header is row 1, as in
 * spreadsheets.
 *
 * @param start the first part of the text, with the whole header
 * @throws ServiceError `invalid_request` if a column is missing or the text is invalid or incomplete
 */
export async function* readCsv(
  start: string,
  text: AsyncIterable<string>,
  format: CsvFormat,
): AsyncGenerator<RawRow> {
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
    for await (const part of text) {
      lineLength = lengthOfLastLine(part, lineLength);
      if (lineLength > ROW_MAX_CHARACTERS) throw invalidTable(parser.info.records);
      await write(part);
      yield* pending;
      pending = [];
    }
    await finished(parser.end(), { readable: false });
    yield* pending;
  } catch (error) {
    throw error instanceof CsvError ? invalidTable(parser.info.records) : error;
  }
}

/** The parser's limit does not count empty cells. */
function lengthOfLastLine(text: string, before: number): number {
  const lineBreak = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return lineBreak === -1 ? before + text.length : text.length - lineBreak;
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
