import { Tokenizer, TokenParser } from '@streamparser/json';
import { ServiceError } from '../../lib/service-error.ts';

/** Parsed at once on the search for an error: one byte at a time takes ten times as long. */
const SEARCH_BYTES = 1024;
/** Begins a name or a text whose quotes are missing, or are others than JSON's. */
const UNQUOTED = /^[\p{L}_$'\\‘’“”]/u;
const QUOTES_HINT =
  'Names and texts need straight double quotes ("). Some shells remove them: write the body to a file, and send it with "curl -d @body.json".';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body as JSON in strict UTF-8. Otherwise invalid bytes would become replacement characters.
 *
 * @throws ServiceError `invalid_json`, with the position of the error
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw new ServiceError('invalid_json', 'The body is empty.');
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw new ServiceError('invalid_json', 'The body is not valid UTF-8.');
  }
  try {
    // The schema rejects unknown keys, including `__proto__`, so the parser does not have to check them.
    return JSON.parse(text);
  } catch {
    throw new ServiceError('invalid_json', `The body is not valid JSON${describeError(text)}`);
  }
}

function describeError(text: string): string {
  const bytes = Buffer.from(text);
  const failed = failsAt(bytes, SEARCH_BYTES);
  if (failed === undefined) return ': it ends before it is complete.';
  const start = Math.max(0, failed - SEARCH_BYTES);
  const at = failsAt(bytes, 1, start) ?? failed;
  const before = bytes.subarray(0, at).toString();
  const lines = before.split(/\r\n|\r|\n/);
  const column = (lines.at(-1)?.length ?? 0) + 1;
  const hint = UNQUOTED.test(text.slice(before.length)) ? ` ${QUOTES_HINT}` : '';
  return ` at position ${before.length} (line ${lines.length}, column ${column}).${hint}`;
}

/**
 * The offset of the first token that is wrong, or else of the first part with an error; undefined if the
 * text is only incomplete. `JSON.parse` says it in a message alone, and not always.
 *
 * @param partSize how many bytes are parsed at once
 * @param start how many bytes are valid
 */
function failsAt(bytes: Buffer, partSize: number, start = 0): number | undefined {
  const values = new TokenParser({ paths: ['$'], keepStack: false });
  values.onValue = () => {};
  const tokens = new Tokenizer();
  let tokenStart: number | undefined;
  tokens.onToken = (token) => {
    tokenStart = token.offset;
    values.write(token);
    tokenStart = undefined;
  };
  let offset = start;
  try {
    if (start > 0) tokens.write(bytes.subarray(0, start));
    for (; offset < bytes.length; offset += partSize) {
      tokens.write(bytes.subarray(offset, offset + partSize));
    }
    return undefined;
  } catch {
    return tokenStart ?? offset;
  }
}
