import type { LinkRecord } from '../shared/link-record.ts';
import type { Link } from './store/store.ts';

/** A link as the API tells it, under the contract's names. */
export function toLinkRecord(link: Link, baseUrl: string, authToken: string): LinkRecord {
  return {
    id: link.id,
    alias: link.alias,
    shortUrl: shortUrl(link, baseUrl),
    originalUrl: link.originalUrl,
    customAlias: link.aliasIsCustom ? link.alias : '',
    domain: new URL(baseUrl).host,
    title: link.title,
    description: link.description,
    hasPassword: link.passwordHash !== null,
    isActive: link.isActive,
    expiresAt: link.expiresAt === null ? null : isoTime(link.expiresAt),
    hits: link.hits,
    waitTimer: link.waitTimerSeconds,
    created: isoTime(link.created),
    modified: isoTime(link.modified),
    authToken,
  };
}

export function shortUrl(link: Link, baseUrl: string): string {
  return `${baseUrl}/${link.alias}`;
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
