import {
  type ParsedEditRequest,
  READ_ONLY_FIELDS,
  type ReadOnlyField,
} from '../../../shared/links/edit-request.ts';
import type { CreatedLinkRecord } from '../../../shared/links/link-record.ts';
import { assertReadOnly, isUnchanged } from '../../lib/read-only.ts';
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
  const names = READ_ONLY_FIELDS.filter((name) => request[name] !== undefined);
  if (names.length === 0) return;
  const record = toRecord();
  const sent = Object.fromEntries(names.map((name) => [name, request[name]]));
  assertReadOnly(sent, (name, value) => isAsNow(name as ReadOnlyField, value, record));
}

function isAsNow(name: ReadOnlyField, sent: unknown, record: CreatedLinkRecord): boolean {
  switch (name) {
    // They grow with visits, so what was read before may be less.
    case 'hits':
      return typeof sent === 'number' && sent >= 0 && sent <= record.hits;
    // Only in some responses.
    case 'newAuthToken':
      return sent === record.authToken;
    case 'qrCode':
      return sent === qrDataUrl(record.shortUrl);
    default:
      return isUnchanged(name, sent, record[name]);
  }
}
