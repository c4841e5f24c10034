import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../../lib/service-error.ts';

const JSON_TYPE = /^application\/json[ \t]*(;[ \t]*(charset="?utf-?8"?[ \t]*)?)?$/i;

/**
 * Requires uncompressed JSON in UTF-8. A compressed body would be reported as invalid JSON.
 *
 * @throws ServiceError `unsupported_media_type`
 */
export function assertJsonBody(headers: IncomingHttpHeaders): void {
  const { 'content-type': type = '', 'content-encoding': encoding } = headers;
  const isJson = type === 'application/json' || JSON_TYPE.test(type);
  const isPlain = encoding === undefined || /^(identity)?$/i.test(encoding);
  if (isJson && isPlain) return;
  throw new ServiceError(
    'unsupported_media_type',
    'Send the body as JSON in UTF-8, not compressed, with the header "Content-Type: application/json".',
  );
}
