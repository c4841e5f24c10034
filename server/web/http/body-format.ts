import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import { ServiceError } from '../../lib/service-error.ts';

/** US-ASCII is a part of UTF-8. */
const UTF8 = /^(?:utf-?8|us-ascii)$/i;

/**
 * Requires a body of one of these media types, in UTF-8 and not compressed. Other parameters of the type
 * mean nothing.
 *
 * @param howTo what to send instead of another type, a sentence
 * @throws ServiceError `unsupported_media_type`
 */
export function assertContentType(
  { 'content-type': type = '', 'content-encoding': encoding }: IncomingHttpHeaders,
  types: readonly string[],
  howTo: string,
): void {
  if (encoding !== undefined && !/^(?:identity)?$/i.test(encoding)) {
    throw unsupported(`Send the body uncompressed, not with "Content-Encoding: ${encoding}".`);
  }
  if (types.includes(type)) return;
  const mime = parse(type);
  if (mime === undefined || !types.includes(mime.essence)) throw unsupported(howTo);
  const charset = mime.params.get('charset');
  if (charset === null || charset === '' || UTF8.test(charset)) return;
  throw unsupported(`Send the body in UTF-8, not in ${charset}.`);
}

function parse(type: string): MIMEType | undefined {
  try {
    return new MIMEType(type);
  } catch {
    return undefined;
  }
}

function unsupported(message: string): ServiceError {
  return new ServiceError('unsupported_media_type', message);
}

/** @throws ServiceError `unsupported_media_type` unless the body is JSON, in UTF-8 and not compressed */
export function assertJsonBody(headers: IncomingHttpHeaders): void {
  assertContentType(
    headers,
    ['application/json'],
    'Send the body as JSON, with the header "Content-Type: application/json".',
  );
}

/** Begins a body, or the first name in it, whose quotes are missing, or are others than JSON's. */
const UNQUOTED = /^\s*(?:[{[]\s*)?[\p{L}_$'\\‘’“”]/u;
const QUOTES_HINT =
  'Names and texts need straight double quotes ("). Some shells remove them: write the body to a file, and send it with "curl -d @body.json".';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body as JSON in strict UTF-8. Otherwise invalid bytes would become replacement characters.
 *
 * @throws ServiceError `invalid_json`, with what JavaScript says of the error
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
  } catch (error) {
    const hint = UNQUOTED.test(text) ? ` ${QUOTES_HINT}` : '';
    const { message } = error as SyntaxError;
    throw new ServiceError('invalid_json', `The body is not valid JSON: ${message}.${hint}`);
  }
}
