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
