import type { LinkRecord } from '../../shared/links/link-record.ts';
import type { BlockList } from '../blocks/block-list.ts';
import type { ShortDomain } from '../lib/short-domain.ts';
import type { Link } from '../store/link.ts';
import { linkStatus } from '../store/link-status.ts';
import { toRecordFields } from './plain-fields.ts';

export type RecordDependencies = {
  /** A function, because `PORT=0` gets its port only on listening. */
  shortDomain: () => ShortDomain;
  blocks: BlockList;
};

/**
 * Converts a stored link to the format of the API.
 *
 * @param now for its status, in milliseconds since the epoch
 */
export function toLinkRecord(
  link: Link,
  dependencies: RecordDependencies,
  authToken: string,
  now: number,
): LinkRecord {
  const shortDomain = dependencies.shortDomain();
  const created = isoTime(link.created);
  return {
    id: link.id,
    alias: link.alias,
    shortUrl: shortUrl(link, shortDomain),
    originalUrl: link.originalUrl,
    customAlias: link.aliasIsCustom ? link.alias : '',
    domain: shortDomain.host,
    ...toRecordFields(link),
    hasPassword: link.passwordHash !== null,
    isActive: link.isActive,
    status: linkStatus(link, now, dependencies.blocks),
    expiresAt: link.expiresAt === null ? null : isoTime(link.expiresAt),
    hits: link.hits,
    maxVisits: link.maxVisits,
    previousAliases: link.previousAliases,
    created,
    modified: link.modified === link.created ? created : isoTime(link.modified),
    version: link.version,
    authToken,
  };
}

export function shortUrl(link: Link, { baseUrl }: ShortDomain): string {
  // V8 keeps what a template makes in parts, and then takes three times as long to write it as JSON.
  return [baseUrl, link.alias].join('/');
}

/** Many links are created in the same millisecond. */
let latest = { time: 0, text: '1970-01-01T00:00:00.000Z' };

/** ISO 8601 in UTC. @param time milliseconds since the epoch */
export function isoTime(time: number): string {
  if (time !== latest.time) latest = { time, text: new Date(time).toISOString() };
  return latest.text;
}
