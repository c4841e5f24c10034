import type { LinkRecord } from '../../../../shared/links/link-record.ts';

/** A record without the account's token: output ends up in logs. */
export function withoutToken(record: LinkRecord): Omit<LinkRecord, 'authToken' | 'newAuthToken'> {
  const { authToken: _, newAuthToken: __, ...rest } = record;
  return rest;
}
