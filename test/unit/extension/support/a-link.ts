import { aliasOf, hostOf } from '../../../../shared/links/link-address.ts';
import type { LinkRecord } from '../../../../shared/links/link-record.ts';
import { mapFields, type PlainValues } from '../../../../shared/links/plain-fields.ts';

/** A link without any option. Its id is its alias. */
export function aLink(more: Partial<LinkRecord> = {}): LinkRecord {
  const { shortUrl = 'https://curt.example/a' } = more;
  const alias = aliasOf({ shortUrl });
  return {
    id: alias,
    alias,
    shortUrl,
    originalUrl: 'https://example.com/',
    customAlias: alias,
    domain: hostOf({ shortUrl }),
    ...mapFields<PlainValues>((_, { default: none }) => none),
    startsAt: null,
    goneUrl: null,
    card: null,
    rules: [],
    hasPassword: false,
    manyWrongPasswords: false,
    isActive: true,
    status: 'active',
    expiresAt: null,
    hits: 0,
    maxVisits: null,
    previousAliases: [],
    created: '2030-01-01T00:00:00.000Z',
    modified: '2030-01-01T00:00:00.000Z',
    version: 1,
    ...more,
  };
}
