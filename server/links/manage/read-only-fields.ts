import { isDeepStrictEqual } from 'node:util';
import {
  type ParsedEditRequest,
  READ_ONLY_FIELDS,
  type ReadOnlyField,
} from '../../../shared/links/edit-request.ts';
import type { CreatedLinkRecord } from '../../../shared/links/link-record.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { qrDataUrl } from '../qr-code.ts';

/**
 * Lets a record be sent back, also if people have visited the link since.
 *
 * @param toRecord the record of the link as it is, with the token of the caller
 * @throws ServiceError `invalid_request` for each read-only field with another value
 */
export function assertReadOnlyUnchanged(
  request: ParsedEditRequest,
  toRecord: () => CreatedLinkRecord,
) {
  const sent = READ_ONLY_FIELDS.filter((name) => request[name] !== undefined);
  if (sent.length === 0) return;
  const record = toRecord();
  const issues = sent
    .filter((name) => !isUnchanged(name, request[name], record))
    .map((path) => ({
      path,
      message: 'Is read-only. Leave it out, or send the value that the link has.',
    }));
  if (issues.length === 0) return;
  const message = issues.map(({ path, message }) => `${path}: ${message}`).join(' ');
  throw new ServiceError('invalid_request', message, { issues });
}

function isUnchanged(name: ReadOnlyField, sent: unknown, record: CreatedLinkRecord): boolean {
  switch (name) {
    // They grow with visits, so what was read before may be less.
    case 'hits':
      return typeof sent === 'number' && sent >= 0 && sent <= record.hits;
    // An hour later, it is over.
    case 'manyWrongPasswords':
      return typeof sent === 'boolean';
    case 'visits30':
      return Array.isArray(sent);
    // Only in some responses.
    case 'newAuthToken':
      return sent === record.authToken;
    case 'qrCode':
      return sent === qrDataUrl(record.shortUrl);
    default:
      return isDeepStrictEqual(sent, record[name]);
  }
}
