import type { LinkRecord, LinkStatus } from './link-record.ts';

/** A link as lists show it. It never contains the account's token. */
export type ShownLink = {
  shortUrl: string;
  originalUrl: string;
  title: string;
  /** ISO 8601, UTC. */
  created: string;
  /** ISO 8601, UTC; null if the link never expires. */
  expiresAt: string | null;
  hasPassword: boolean;
  waitTimerSeconds: number;
  /** Whether the link loads a tag-manager container. */
  hasContainer?: true | undefined;
  /** What the server said last. Absent for short links of other services. */
  managed?: ManagedFields | undefined;
};

/** Fields with their default are absent. */
export type ManagedFields = {
  id: string;
  version: number;
  /** @default active */
  status?: LinkStatus | undefined;
  /** @default 0 */
  hits?: number | undefined;
  description?: string | undefined;
  tags?: string[] | undefined;
  maxVisits?: number | undefined;
  forwardQuery?: true | undefined;
  furtherAliases?: string[] | undefined;
};

export function toShownLink(record: LinkRecord): ShownLink {
  const { shortUrl, originalUrl, title, created, expiresAt, hasPassword, waitTimer } = record;
  return {
    shortUrl,
    originalUrl,
    title,
    created,
    expiresAt,
    hasPassword,
    waitTimerSeconds: waitTimer,
    ...(record.customGtmId !== null && { hasContainer: true }),
    managed: toManagedFields(record),
  };
}

export function toManagedFields(record: LinkRecord): ManagedFields {
  const { id, version, status, hits, description, tags, maxVisits, forwardQuery } = record;
  return {
    id,
    version,
    ...(status !== 'active' && { status }),
    ...(hits > 0 && { hits }),
    ...(description && { description }),
    ...(tags.length > 0 && { tags }),
    ...(maxVisits !== null && { maxVisits }),
    ...(forwardQuery && { forwardQuery }),
    ...(record.furtherAliases.length > 0 && { furtherAliases: record.furtherAliases }),
  };
}

/** Identifies a link in a list, also after it got another alias. */
export function keyOf({ managed, shortUrl }: ShownLink): string {
  return managed?.id ?? shortUrl;
}

export function statusOf({ managed }: ShownLink): LinkStatus {
  return managed?.status ?? 'active';
}

/** The alias in a short URL. */
export function aliasOf({ shortUrl }: Pick<ShownLink, 'shortUrl'>): string {
  return decodeURIComponent(new URL(shortUrl).pathname.slice(1));
}

/** Sorts by creation time, then by short URL, so that the order is the same everywhere. */
export function newestFirst(one: ShownLink, other: ShownLink): number {
  const byTime = Date.parse(other.created) - Date.parse(one.created);
  if (byTime !== 0) return byTime;
  return one.shortUrl < other.shortUrl ? -1 : 1;
}
