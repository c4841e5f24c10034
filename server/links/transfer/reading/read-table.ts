import { finished } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';
import { trimText } from '../../../../shared/text.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import {
  assertRowCount,
  COLUMNS_MAX,
  type FileTable,
  NAME_MAX_CHARACTERS,
  type RawRow,
  ROW_MAX_CHARACTERS,
  type RowList,
  rowTooLarge,
} from './file-table.ts';

/** Spreadsheets use the list separator of the user's region. */
const DELIMITERS = [',', ';', '\t', '|'];
const HEADER_MAX_CHARACTERS = 8 * 1024;
const HEADER_SHOWN_CHARACTERS = 80;
/** Rows that tell how many columns there are, if no header does. */
const ROWS_COUNTED = 20;
/** Says the delimiter in the first line, as Excel writes and reads it. */
const SEPARATOR_LINE = /^"?sep=([^\r\n"])"?[\r\n]/i;
const HAS_TEXT = /[^\s,;|"]/;
/** No text has it: each line is one cell. */
const NO_DELIMITER = '\0';

type Layout = {
  delimiter: string;
  /** What precedes a quotation mark within quotation marks: another one, or a backslash from phpMyAdmin. */
  escape: '"' | '\\';
  /** Lines before the first row with data. */
  headerRows: number;
  hasHeader: boolean;
  /** Whether a space follows each delimiter, also before a quotation mark. */
  isPadded: boolean;
  columns: string[];
};

/** A table, or lines with a URL each, which `URL | title` can be. */
export type TableKind = 'table' | 'list' | 'titled-list';

const LIST: Layout = {
  delimiter: NO_DELIMITER,
  escape: '"',
  headerRows: 0,
  hasHeader: false,
  isPadded: false,
  columns: ['URL'],
};

/**
 * Reads the rows of a table. The first line is row 1, as in spreadsheets. Without a header, the columns are called
 * `Column 1` and so on.
 *
 * @param start the first part of the text, with the whole header
 * @throws ServiceError `invalid_request` if the text is invalid or incomplete, or its rows are one cell each
 */
export async function readTable(
  start: string,
  text: AsyncIterable<string>,
  kind: TableKind,
  list: RowList,
): Promise<FileTable> {
  const isList = kind !== 'table';
  const layout = isList ? LIST : findLayout(start);
  const hasTitles = kind === 'titled-list';
  const { delimiter, headerRows } = layout;
  const columns = hasTitles ? [...layout.columns, 'Title'] : layout.columns;
  if (columns.length === 0) return { kind: 'table', columns, rows: [] };
  let row = 0;
  const parser = parse({
    delimiter,
    escape: layout.escape,
    quote: isList ? false : '"',
    ltrim: layout.isPadded,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    // A quote that is never closed takes in all further rows.
    max_record_size: ROW_MAX_CHARACTERS,
    // Here, and not from the stream, which would have queued all rows of a chunk before one is counted.
    on_record: (cells: string[]) => {
      if (row++ < headerRows) return;
      assertRowCount(row - headerRows);
      const parts = hasTitles ? splitTitle(cells) : cells;
      const raw = toRow(row, parts, { ...layout, columns });
      if (raw) list.add(raw);
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
      if (lineLength > ROW_MAX_CHARACTERS) throw rowTooLarge(parser.info.records + 1);
      await write(part);
    }
    await finished(parser.end(), { readable: false });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { records } = parser.info;
    throw error.code === 'CSV_MAX_RECORD_SIZE'
      ? recordTooLarge(records + 1)
      : invalidTable(records);
  }
  return { kind: isList ? 'list' : 'table', columns, rows: list.rows };
}

/** A line of a list: `URL | title` of OneTab, `URL title`, or `- [title](URL)` of Markdown. */
export const TITLED_URL =
  /^\s*(?:(?:[-*+•]|\d+[.)])\s+)?(?:\[(?<name>[^\]]*)\]\((?<link>https?:\/\/\S+)\)|<?(?<url>https?:\/\/[^\s<>]+)>?(?: +(?:[|–—-] )?(?<title>.*))?)\s*$/i;

function splitTitle([line = '']: string[]): string[] {
  const { url, link = url, title, name = title } = TITLED_URL.exec(line)?.groups ?? {};
  return link === undefined ? [line] : [link, name ?? ''];
}

/** The parser's limit does not count empty cells. */
function lengthOfLastLine(text: string, before: number): number {
  const lineBreak = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return lineBreak === -1 ? before + text.length : text.length - lineBreak;
}

/** Programs leave out empty cells at the end, or add some. */
function toRow(
  row: number,
  written: string[],
  { columns: { length }, hasHeader, delimiter }: Layout,
): RawRow | undefined {
  const cells = withoutEmptyEnd(written);
  const [only = ''] = cells;
  if (cells.length === 0) return undefined;
  if (cells.length === 1 && only.split(delimiter).length === length && length > 1) {
    return { row, problem: 'The row is one cell in quotation marks.' };
  }
  if (cells.length <= length) return { row, cells };
  const others = hasHeader ? 'the header has' : 'most rows have';
  return { row, problem: `The row has ${cells.length} cells, but ${others} ${length}.` };
}

function withoutEmptyEnd(cells: string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => trimText(cell) !== '') + 1);
}

/** How many columns a table without a header has: a row of it may have a comma too many, as a URL does. */
function usualLength(rows: string[][]): number {
  const counts = Map.groupBy(rows, ({ length }) => length);
  const [[usual = 0] = []] = [...counts].sort(([, one], [, other]) => other.length - one.length);
  const longest = Math.max(...rows.map((cells) => withoutEmptyEnd(cells).length));
  return Math.min(usual, longest);
}

function findLayout(start: string): Layout {
  const separator = SEPARATOR_LINE.exec(start)?.[1];
  const lines = start.slice(0, HEADER_MAX_CHARACTERS).split(/\r\n|\n|\r/);
  const from = separator === undefined ? 0 : 1;
  // Programs leave empty rows above the header.
  const quoteEscape = usesBackslash(start) ? '\\' : '"';
  const firstAt = Math.max(
    from,
    lines.findIndex((line, index) => index >= from && HAS_TEXT.test(line)),
  );
  const at = headerBelow(lines, firstAt, quoteEscape) ?? firstAt;
  const first = lines[at] ?? '';
  const [best = { delimiter: ',', cells: [] }] = (separator ? [separator] : DELIMITERS)
    .map((delimiter) => ({ delimiter, cells: toCells(first, delimiter, quoteEscape) }))
    .sort((one, other) => other.cells.length - one.cells.length);
  const isPadded = best.cells.length > 1 && best.cells.slice(1).every((cell) => cell[0] === ' ');
  const header = isPadded ? toCells(first, best.delimiter, quoteEscape, true) : best.cells;
  const cells = withoutEmptyEnd(header).map((cell) => trimText(cell));
  if (cells.length > COLUMNS_MAX) {
    throw new ServiceError('invalid_request', `The table has more than ${COLUMNS_MAX} columns.`);
  }
  const hasHeader = !cells.some((cell) => cell.includes('://'));
  const [only = ''] = cells;
  if (hasHeader && cells.length === 1 && DELIMITERS.some((delimiter) => only.includes(delimiter))) {
    // Otherwise, a target would be taken for all cells of its row.
    throw new ServiceError(
      'invalid_request',
      `Each row of the table is one cell in quotation marks: ${only.slice(0, HEADER_SHOWN_CHARACTERS)}. Save it with a cell for each column.`,
    );
  }
  const firstRows = () => {
    const rows = lines
      .slice(from, ROWS_COUNTED)
      .filter((line) => line.trim() !== '')
      .flatMap((line) => toCellsIfWhole(line, best.delimiter, quoteEscape));
    return rows.length > 0 ? rows : [cells];
  };
  return {
    delimiter: best.delimiter,
    escape: quoteEscape,
    headerRows: hasHeader ? at + 1 : from,
    hasHeader,
    isPadded,
    columns: toNames(hasHeader ? cells : Array(usualLength(firstRows())).fill('')),
  };
}

/** Lines that can be a title, such as "Links of spring" and a date. */
const TITLE_LINES_MAX = 5;

/** The header below a title of one cell: a line of several cells, none a URL, before one with as many, one a URL. */
function headerBelow(lines: string[], from: number, quoteEscape: '"' | '\\'): number | undefined {
  const cellsOf = (at: number, delimiter: string) => {
    const [cells = []] = toCellsIfWhole(lines[at] ?? '', delimiter, quoteEscape);
    return withoutEmptyEnd(cells);
  };
  const isHeader = (at: number, delimiter: string) => {
    const cells = cellsOf(at, delimiter);
    const isFilled = cells.filter((cell) => trimText(cell) !== '').length > 1;
    return isFilled && !cells.some(hasUrl) && cellsOf(at + 1, delimiter).some(hasUrl);
  };
  if (DELIMITERS.some((delimiter) => cellsOf(from, delimiter).length > 1)) return undefined;
  for (let at = from; at < Math.min(from + TITLE_LINES_MAX, lines.length - 1); at++) {
    if (hasUrl(lines[at] ?? '')) return undefined;
    if (DELIMITERS.some((delimiter) => isHeader(at, delimiter))) return at;
  }
  return undefined;
}

const hasUrl = (cell: string) => cell.includes('://');

/** A line break in a cell ends no row. */
function toCellsIfWhole(...line: Parameters<typeof toCells>): string[][] {
  try {
    return [toCells(...line)];
  } catch {
    return [];
  }
}

function toCells(line: string, delimiter: string, quoteEscape: string, ltrim = false): string[] {
  try {
    const options = { delimiter, escape: quoteEscape, ltrim, relax_quotes: true };
    return parseNow(line, options).flat();
  } catch (error) {
    throw error instanceof CsvError ? invalidTable(0) : error;
  }
}

/** Each with a name of its own. */
function toNames(cells: string[]): string[] {
  const names = new Set<string>();
  for (const [index, cell] of cells.entries()) {
    const name = cell.slice(0, NAME_MAX_CHARACTERS) || `Column ${index + 1}`;
    names.add(names.has(name) ? `${name} (${index + 1})` : name);
  }
  return [...names];
}

/** Whether quotation marks within a cell are written `\"`, and not at its end, where they follow a backslash. */
function usesBackslash(start: string): boolean {
  return /\\"[^,;\t|\r\n]/.test(start) && !/[^,;\t|\r\n\\]""[^,;\t|\r\n]/.test(start);
}

function recordTooLarge(row: number): ServiceError {
  return new ServiceError(
    'body_too_large',
    `Row ${row} is too large for a link, or a quotation mark in it has no end. Nothing was imported.`,
  );
}

/** @param row the last one that is complete */
function invalidTable(row: number): ServiceError {
  return new ServiceError(
    'invalid_request',
    `The table is invalid or incomplete: the row after row ${row} does not end. Nothing was imported.`,
  );
}
