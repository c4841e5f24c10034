import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { EXPORT_VERSION } from '../../../../shared/links/transfer.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { KNOWN_FILES } from '../meaning/formats.ts';
import {
  assertRowCount,
  COLUMNS_MAX,
  type FileTable,
  flatten,
  type RawRow,
  ROW_MAX_CHARACTERS,
  type RowList,
  rowTooLarge,
} from './file-table.ts';

/** Deeper than any known file. Each level takes memory. */
const DEPTH_MAX = 16;
/** What a value or a bracket counts for beside its text, because thousands of tags take time, too. */
const TOKEN_BYTES = 128;
const OPENING = [TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET];
const CLOSING = [TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET];

/** Where services have their links. */
const LISTS = [
  ...['links', 'data', 'shortUrls.data', 'urls', 'results', 'items', 'list', 'bookmarks'],
].map((path) => `$.${path}`);
/**
 * phpMyAdmin writes an array of a header, a database and tables, whose rows are in `data`, and Linkwarden has the
 * links of each collection.
 */
const PART_ROWS = /^\$\.(\d+\.data|collections\.\d+\.links)$/;
const TABLE_PARTS = new Set(['header', 'database', 'table']);

/**
 * Reads the links in a JSON text. It is one document or several, each either an array of links or an object with
 * such an array, or with an object of links. The first link is row 1.
 *
 * @throws ServiceError `invalid_json` if the text is invalid or incomplete, `invalid_request` if it has no
 *   links, or a version of Curt's own format that is not known
 */
export async function readJson(text: AsyncIterable<string>, list: RowList): Promise<FileTable> {
  const columns = new Set<string>();
  const about = new Map<string, unknown>();
  let rows = 0;
  let depth = 0;
  /** Characters of the text so far, up to the last token, and up to the end of the last row. */
  let [written, offset, rowEnd] = [0, 0, 0];
  /** Since the last row. */
  let tokenCount = 0;
  let isEmpty = true;
  let hasList = false;

  const values = new TokenParser({
    paths: [
      '$.*',
      '$.*.data.*',
      '$.collections.*.links.*',
      ...LISTS.flatMap((path) => [path, `${path}.*`]),
    ],
    keepStack: false,
    separator: '',
  });
  values.onValue = ({ value, key, parent, stack }) => {
    const parentPath = ['$', ...stack.slice(1).map((container) => container.key)].join('.');
    const isRow =
      parentPath === '$'
        ? Array.isArray(parent) && !isTablePart(value)
        : LISTS.includes(parentPath) || PART_ROWS.test(parentPath);
    if (isRow) {
      hasList = true;
      assertRowCount(++rows);
      list.add(toRow(rows, value));
      [rowEnd, tokenCount] = [offset, 0];
    } else if (LISTS.includes(`${parentPath}.${key}`)) {
      hasList = true;
    } else if (parentPath === '$' && typeof value !== 'object') {
      about.set(String(key), value);
    }
  };
  const toRow = (row: number, value: unknown): RawRow => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { row, problem: 'Must be an object.' };
    }
    for (const name of flatten(value).keys()) if (columns.size < COLUMNS_MAX) columns.add(name);
    // As text, it takes as little memory as in the file.
    return { row, json: JSON.stringify(value) };
  };
  const tokens = new Tokenizer({ separator: '' });
  tokens.onToken = (token) => {
    isEmpty = false;
    offset = token.offset;
    tokenCount++;
    assertRowSize(offset);
    if (OPENING.includes(token.token) && ++depth > DEPTH_MAX) throw new Error('too deep');
    if (CLOSING.includes(token.token)) depth--;
    if (depth === 1 && token.token === TokenType.LEFT_BRACKET) hasList = true;
    values.write(token);
  };
  const assertRowSize = (end: number) => {
    const size = end - rowEnd + tokenCount * TOKEN_BYTES;
    if (size > ROW_MAX_CHARACTERS) throw rowTooLarge(rows + 1);
  };
  const parse = (work: () => void) => {
    try {
      work();
    } catch (error) {
      throw error instanceof ServiceError ? error : invalidJson(rows);
    }
  };

  for await (const part of text) {
    parse(() => tokens.write(part));
    written += Buffer.byteLength(part);
    assertRowSize(written);
  }
  parse(() => tokens.end());
  if (depth > 0 || isEmpty) throw invalidJson(rows);
  const isOfCurt = about.get('curt') === 'links';
  if (isOfCurt && Number(about.get('version')) > EXPORT_VERSION) {
    throw new ServiceError(
      'invalid_request',
      'The file is from a newer version of Curt. Update this server first.',
    );
  }
  if (!hasList) {
    throw new ServiceError('invalid_request', `The JSON has no list of links. ${KNOWN_FILES}`);
  }
  return { kind: 'json', columns: [...columns], rows: list.rows, isOfCurt };
}

function isTablePart(value: unknown): boolean {
  const { type } = (value ?? {}) as { type?: unknown };
  return typeof type === 'string' && TABLE_PARTS.has(type);
}

function invalidJson(rows: number): ServiceError {
  return new ServiceError(
    'invalid_json',
    `The file is not valid JSON, or it is incomplete: the error is after row ${rows}. Nothing was imported.`,
  );
}
