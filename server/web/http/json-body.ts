import type { IncomingHttpHeaders } from 'node:http';
import { assertContentType } from './content-type.ts';

/** @throws ServiceError `unsupported_media_type` unless the body is JSON, in UTF-8 and not compressed */
export function assertJsonBody(headers: IncomingHttpHeaders): void {
  assertContentType(
    headers,
    ['application/json'],
    'Send the body as JSON, with the header "Content-Type: application/json".',
  );
}
