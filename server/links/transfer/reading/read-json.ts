import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { ServiceError } from '../../../lib/service-error.ts';
import type { JsonFormat } from '../formats/format.ts';
import { assertRowCount, type RawRow } from './raw-row.ts';
import { ROW_MAX_CHARACTERS } from './read-text.ts';

/** Deeper than any known file. Each level takes memory. */
const DEPTH_MAX = 16;
/** What a value or a bracket counts for beside its text, because thousands of tags take time, too. */
const TOKEN_BYTES = 128;
const OPENING = [TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET];
const CLOSING = [TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET];

/**
 * The links in a JSON text. It is one document or several, each either an array of links or an object
 * with the links where the format says. The first link is row 1.
 *
 * @throws ServiceError `invalid_json` if the text is invalid or incomplete, `invalid_request` if the
 *   links are elsewhere
 */
export async function* readJson(
  text: AsyncIterable<string>,
  { path, header }: JsonFormat,
): AsyncGenerator<RawRow> {
  const listPath = path.slice(0, path.lastIndexOf('.'));
  let rows = 0;
  let depth = 0;
  /** Of the text so far, up to the last token, and up to the end of the last row. */
  let [written, offset, rowEnd] = [0, 0, 0];
  /** Since the last row. */
  let tokenCount = 0;
  let isEmpty = true;
  let hasList = false;
  let problem: string | undefined;
  let pending: RawRow[] = [];

  const headerPaths = header ? [header.path] : [];
  const values = new TokenParser({
    paths: ['$.*', path, listPath, ...headerPaths],
    keepStack: false,
    separator: '',
  });
  values.onValue = ({ value, key, parent, stack }) => {
    const parentPath = ['$', ...stack.slice(1).map((container) => container.key)].join('.');
    if (parentPath === listPath || (parentPath === '$' && Array.isArray(parent))) {
      assertRowCount(++rows);
      pending.push({ row: rows, value });
      [rowEnd, tokenCount] = [offset, 0];
    } else if (`${parentPath}.${key}` === listPath) {
      hasList = true;
    } else if (`${parentPath}.${key}` === header?.path) {
      problem ??= header.check(value);
    }
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
    yield* pending;
    pending = [];
  }
  parse(() => tokens.end());
  if (depth > 0 || isEmpty) throw invalidJson(rows);
  if (problem !== undefined) throw new ServiceError('invalid_request', problem);
  if (!hasList) {
    throw new ServiceError(
      'invalid_request',
      `The file has no links at ${listPath}, and is not an array of links. Check "from".`,
    );
  }
}

function rowTooLarge(row: number): ServiceError {
  return new ServiceError(
    'invalid_request',
    `Row ${row} is too large for a link. Nothing was imported.`,
  );
}

function invalidJson(rows: number): ServiceError {
  return new ServiceError(
    'invalid_json',
    `The file is not valid JSON, or it is incomplete: the error is after row ${rows}. Nothing was imported.`,
  );
}
