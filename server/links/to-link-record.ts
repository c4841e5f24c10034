import type { Destinations } from '../../shared/links/destinations.ts';
import type { LinkRecord } from '../../shared/links/link-record.ts';
import type { LinkStatus } from '../../shared/links/link-status.ts';
import { PLAIN_NAMES, type PlainValues } from '../../shared/links/plain-fields.ts';
import type { BlockList } from '../blocks/block-list.ts';
import { type Domains, toShownAlias } from '../domains/short-domains.ts';
import type { GuessedLinks } from '../limits/client-limits.ts';
import { type Link, linkStatus } from '../store/link.ts';
import type { LinkChanges } from '../store/link-calls.ts';

/** What records, requests, files and stores have alike. */
type SameFields = PlainValues & Destinations & Pick<Link, 'maxVisits'>;
const SAME_NAMES = [...PLAIN_NAMES, 'maxVisits', 'rules', 'goneUrl', 'card'] as const;

type AbsentOr<T> = { [K in keyof T]?: T[K] | undefined };
/** What stores can have besides, so a field that they don't know is an error of the compiler. */
type StoredFields = { -readonly [K in keyof SameFields]?: Link[K] | undefined };

/** Returns these fields of a request or a link, undefined if they are absent. */
export function toSameFields(from: Link): SameFields;
export function toSameFields(from: AbsentOr<SameFields>): StoredFields;
export function toSameFields(from: AbsentOr<SameFields> | Link): StoredFields {
  const fields: StoredFields = Object.fromEntries(SAME_NAMES.map((name) => [name, from[name]]));
  // One value means that there is none.
  if (fields.description === '') fields.description = null;
  return fields;
}

/** Returns what an edit changes of them. */
export function toFieldChanges(sent: AbsentOr<SameFields>): LinkChanges {
  const changes = Object.entries(toSameFields(sent));
  return Object.fromEntries(changes.filter(([, value]) => value !== undefined));
}

export type StatusDependencies = {
  domains: Domains;
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
    ...toSameFields(link),
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
 * Returns the status of a link, also if its domain was removed. What its owner can change comes first.
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

/** Returns what follows from the aliases of a link as the store has them. */
export function toAliasFields(link: Link, domains: Domains) {
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

/** Formats a time as ISO 8601 in UTC. @param time milliseconds since the epoch */
export function isoTime(time: number): string {
  if (time !== latest.time) latest = { time, text: new Date(time).toISOString() };
  return latest.text;
}
