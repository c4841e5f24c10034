import type { Readable } from 'node:stream';
import { parseOriginalUrl } from '../../../../shared/links/original-url.ts';
import type { Encoding, ImportSource } from '../../../../shared/links/transfer-formats.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { createRowList, type FileTable, ROW_MAX_CHARACTERS, type RowList } from './file-table.ts';
import { readBookmarks } from './read-bookmarks.ts';
import { readJson } from './read-json.ts';
import { readTable, type TableKind, TITLED_URL } from './read-table.ts';
import { type ReadTextOptions, readText } from './read-text.ts';

/** Has the header of a table, and tells what kind of file it is. */
const START_CHARACTERS = 16 * 1024;
/** Of so many lines at the start of a list, the first and most of the others are URLs. */
const LINES_OF_LIST = 20;
/** As Firefox backs up bookmarks, and Chromium keeps them. */
const BROWSERS_COPY = /^\{\s*("guid":\s*"root_|"checksum":\s*"\w*",\s*"roots")/;
const NETSCAPE = /^<!doctype netscape-bookmark/i;
const SQL = /^(--|\/\*|(create|insert|set|drop|begin|use|pragma)\s)/i;

/**
 * Reads a file completely, because its rows are imported in the order of their creation.
 *
 * @throws ServiceError if the file itself is invalid, too large or has too many rows
 */
export async function readFile(
  stream: Readable,
  options: ReadTextOptions & { from?: ImportSource | undefined },
): Promise<FileTable & { encoding: Encoding }> {
  let [arrived, reserved] = [0, 0];
  // What rows have beyond their file is reserved, too.
  const hold = (bytes: number) => {
    if (bytes <= reserved) return;
    options.reserve(bytes - reserved);
    reserved = bytes;
  };
  const reserve = (more: number) => {
    arrived += more;
    hold(arrived);
  };
  const { text, encoding } = readText(stream, { ...options, reserve });
  try {
    const start = await readStart(text);
    const table = await readKind(start, join(start, text), createRowList(hold), options.from);
    return { ...table, encoding: encoding() };
  } finally {
    // Otherwise the generator still holds the stream, and the rest of an invalid file cannot be discarded.
    await text.return(undefined);
  }
}

function readKind(
  start: string,
  text: AsyncIterable<string>,
  rows: RowList,
  from: ImportSource | undefined,
): Promise<FileTable> {
  const trimmed = start.trimStart();
  if (BROWSERS_COPY.test(trimmed)) {
    throw unreadable("a browser's own copy of its bookmarks: export them as HTML");
  }
  // A list can begin with `[title](URL)`.
  if (/^[[{]/.test(trimmed) && !/^\[[^\]\n]*\]\(/.test(trimmed))
    return readJson(isLinkPerLine(trimmed) ? asArray(text) : text, rows);
  if (trimmed.startsWith('<')) {
    const isList = /<(a|h3)[\s>]/i.test(trimmed) && /<dl[\s>]|\stime_added=/i.test(trimmed);
    if (isList || NETSCAPE.test(trimmed)) return readBookmarks(text, rows);
    throw unreadable('a page or XML: export the links as CSV or JSON');
  }
  if (SQL.test(trimmed)) throw unreadable('an SQL dump: export the table of the links as CSV');
  const kind = (from ?? 'list') !== 'list' ? 'table' : listKind(trimmed, from === 'list');
  return readTable(start, text, kind, rows);
}

async function readStart(text: AsyncIterator<string>): Promise<string> {
  let start = '';
  while (start.length < START_CHARACTERS) {
    const { value, done } = await text.next();
    if (done) break;
    start += value;
  }
  return start;
}

/** Whether the first line is a link of its own, and no response of an API with a list of them. */
function isLinkPerLine(start: string): boolean {
  try {
    const first: unknown = JSON.parse(start.split(/[\r\n]/, 1)[0] ?? '');
    const isObject = typeof first === 'object' && first !== null && !Array.isArray(first);
    return (
      isObject && Object.values(first).some((value) => typeof value === 'string' && isUrl(value))
    );
  } catch {
    return false;
  }
}

/** Makes an array of objects that stand one after another, each in its line. */
async function* asArray(text: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '[';
  let rest = '';
  for await (const part of text) {
    const lines = (rest + part).split(/[\r\n]+/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.trim() === '') continue;
      yield before + line;
      before = ',';
    }
    // A line that does not end would be copied with each part.
    if (rest.length > ROW_MAX_CHARACTERS) break;
  }
  yield rest.trim() === '' ? ']' : `${before + rest}]`;
}

async function* join(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

function listKind(start: string, isGiven: boolean): TableKind {
  const lines = linesOf(start);
  const isTitled = (line: string) => {
    const { link, url } = TITLED_URL.exec(line)?.groups ?? {};
    // A table has a delimiter before the first space.
    return link !== undefined || (url !== undefined && !/[,;|]/.test(url));
  };
  const titled = lines.filter(isTitled);
  const isMost = titled.length > lines.length / 2;
  if (isMost && titled.some((line) => !isUrl(line))) return 'titled-list';
  return isGiven || isList(lines) ? 'list' : 'table';
}

function linesOf(start: string): string[] {
  const lastBreak = Math.max(start.lastIndexOf('\n'), start.lastIndexOf('\r'));
  const complete = start.length < START_CHARACTERS ? start : start.slice(0, lastBreak + 1);
  return complete
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .slice(0, LINES_OF_LIST);
}

/** Whether most lines are a URL. In a table without a header, most have as many separators as the others. */
function isList(lines: string[]): boolean {
  const [first = ''] = lines;
  const urls = lines.filter(isUrl);
  // Otherwise, it is a header.
  if (!isUrl(first) || urls.length <= lines.length / 2) return false;
  return ![',', ';', '|'].some((separator) => {
    const counts = Map.groupBy(urls, (line) => line.split(separator).length);
    const most = Math.max(...[...counts.values()].map(({ length }) => length));
    return !counts.has(1) && lines.length > 1 && most > urls.length / 2;
  });
}

function isUrl(line: string): boolean {
  return (
    line.includes('.') &&
    !/\s/.test(line.trim()) &&
    !/[,;|]\s?"?https?:/.test(line) &&
    parseOriginalUrl(line).ok
  );
}

function unreadable(what: string): ServiceError {
  return new ServiceError('invalid_request', `The file is ${what}.`);
}
