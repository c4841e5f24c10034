import type { LinkRecord } from '../../shared/links/link-record.ts';
import type { LinkStatus } from '../../shared/links/link-status.ts';
import type { BlockList } from '../blocks/block-list.ts';
import { toShownAlias } from '../domains/short-address.ts';
import type { ShortDomains } from '../domains/short-domains.ts';
import type { GuessedLinks } from '../limits/guessed-links.ts';
import type { Link } from '../store/link.ts';
import { linkStatus } from '../store/link-status.ts';
import { toRecordFields } from './plain-fields.ts';

export type StatusDependencies = {
  domains: ShortDomains;
  blocks: BlockList;
};

export type RecordDependencies = StatusDependencies & { guessedLinks: GuessedLinks };

/**
 * Converts a stored link to the format of the API.
 *
 * @param now for its status, in milliseconds since the epoch
 */
export function toLinkRecord(
  link: Link,
  dependencies: RecordDependencies,
  now: number,
): LinkRecord {
  const created = isoTime(link.created);
  return {
    id: link.id,
    originalUrl: link.originalUrl,
    ...toAliasFields(link, dependencies.domains),
    ...toRecordFields(link),
    startsAt: link.startsAt === null ? null : isoTime(link.startsAt),
    hasPassword: link.passwordHash !== null,
    manyWrongPasswords: link.passwordHash !== null && dependencies.guessedLinks.has(link.id),
    isActive: link.isActive,
    status: statusOf(link, now, dependencies),
    expiresAt: link.expiresAt === null ? null : isoTime(link.expiresAt),
    hits: link.hits,
    created,
    modified: link.editedAt === null ? created : isoTime(link.editedAt),
    version: link.version,
  };
}

/**
 * The status of a link, also if its domain was removed. What its owner can change comes first.
 *
 * @param now milliseconds since the epoch
 */
export function statusOf(
  link: Link,
  now: number,
  { domains, blocks }: StatusDependencies,
): LinkStatus {
  const status = linkStatus(link, now, blocks);
  if (status !== 'active' && status !== 'scheduled') return status;
  return domains.split(link.alias).domain.isRemoved ? 'domain_removed' : status;
}

/** What follows from the aliases of a link as the store has them. */
export function toAliasFields(link: Link, domains: ShortDomains) {
  const { domain, alias } = domains.split(link.alias);
  return {
    alias,
    shortUrl: domains.shortUrl(link.alias),
    customAlias: link.aliasIsCustom ? alias : '',
    domain: domain.host,
    previousAliases: link.previousAliases.map((each) => toShownAlias(each, domain, domains)),
  };
}

/** Many links are created in the same millisecond. */
let latest = { time: 0, text: '1970-01-01T00:00:00.000Z' };

/** ISO 8601 in UTC. @param time milliseconds since the epoch */
export function isoTime(time: number): string {
  if (time !== latest.time) latest = { time, text: new Date(time).toISOString() };
  return latest.text;
}
