import type { Domains } from '../domains/short-domains.ts';
import type { Link } from '../store/link.ts';

/** A link as Shlink's API has it. */
export function toShortUrl(link: Link, domains: Domains) {
  const { domain, alias } = domains.split(link.alias);
  return {
    shortUrl: domains.shortUrl(link.alias),
    shortCode: alias,
    longUrl: link.originalUrl,
    dateCreated: toAtom(link.created),
    tags: link.tags,
    meta: {
      validSince: link.startsAt === null ? null : toAtom(link.startsAt),
      validUntil: link.expiresAt === null ? null : toAtom(link.expiresAt),
      maxVisits: link.maxVisits,
    },
    domain: domain === domains.first ? null : domain.host,
    title: link.title || null,
    crawlable: false,
    forwardQuery: link.forwardQuery,
    visitsSummary: toVisits(link.hits),
    hasRedirectRules: link.rules.length > 0,
  };
}

/** Visits are people: no bots are in the number of a link. */
export function toVisits(people: number) {
  return { total: people, nonBots: people, bots: 0 };
}

/** Such as `2026-01-31T12:00:00+00:00`. */
function toAtom(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}+00:00`;
}

export type Page = { page: number; itemsPerPage: number };

/** A page, with all that clients read of its place. */
export function toPage<T>(data: T[], total: number, { page, itemsPerPage }: Page) {
  return {
    data,
    pagination: {
      currentPage: page,
      pagesCount: Math.max(1, Math.ceil(total / itemsPerPage)),
      itemsPerPage,
      itemsInCurrentPage: data.length,
      totalItems: total,
    },
  };
}

/** A page of rows that are all there. */
export function pageOfAll<T>(rows: T[], page: Page) {
  const start = (page.page - 1) * page.itemsPerPage;
  return toPage(rows.slice(start, start + page.itemsPerPage), rows.length, page);
}
