import type { LinkRecord } from '../../shared/link-record.ts';
import type { ShortDomain } from '../core/short-domain.ts';
import type { Link } from '../store/store.ts';

/** Converts a stored link to the format of the API. */
export function toLinkRecord(link: Link, shortDomain: ShortDomain, authToken: string): LinkRecord {
  const created = isoTime(link.created);
  return {
    id: link.id,
    alias: link.alias,
    shortUrl: shortUrl(link, shortDomain),
    originalUrl: link.originalUrl,
    customAlias: link.aliasIsCustom ? link.alias : '',
    domain: shortDomain.host,
    title: link.title,
    description: link.description,
    hasPassword: link.passwordHash !== null,
    isActive: link.isActive,
    expiresAt: link.expiresAt === null ? null : isoTime(link.expiresAt),
    hits: link.hits,
    waitTimer: link.waitTimerSeconds,
    created,
    modified: link.modified === link.created ? created : isoTime(link.modified),
    authToken,
  };
}

export function shortUrl(link: Link, { baseUrl }: ShortDomain): string {
  return `${baseUrl}/${link.alias}`;
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
