import {
  type AdminLink,
  type AdminLinkCountQuery,
  type AdminLinkListQuery,
  adminLinkSchema,
} from '../../shared/admin/links.ts';
import { COUNTED_LINKS_MAX, LIST_LIMIT_DEFAULT } from '../../shared/limits.ts';
import { ADMINISTRATORS_FIELDS } from '../../shared/links/fields.ts';
import { searchWords } from '../../shared/links/search-words.ts';
import { hasAllWords, searchedText } from '../../shared/links/searched-text.ts';
import { storedAliasOf } from '../domains/short-address.ts';
import type { Domain, ShortDomains } from '../domains/short-domains.ts';
import { parseHost } from '../lib/host-name.ts';
import { invalidField } from '../lib/invalid-field.ts';
import { isOutdated } from '../links/manage/own-link.ts';
import { type RecordDependencies, statusOf, toLinkRecord } from '../links/to-link-record.ts';
import type { AllLinksPage, AllLinksQuery } from '../store/administration.ts';
import { aliasesOf } from '../store/decide/aliases.ts';
import type { Link } from '../store/link.ts';

import type { AuditDependencies } from './audit.ts';
import { invalidHost } from './blocks.ts';
import { readPage, toCursor } from './cursor.ts';

export type AllLinksDependencies = AuditDependencies &
  RecordDependencies & { domains: ShortDomains };

const COUNTED_TOGETHER = 1000;

const SHOWN = Object.keys(adminLinkSchema.shape) as (keyof AdminLink)[];

/**
 * A page of the links of all accounts.
 *
 * @throws ServiceError `invalid_request`
 */
export async function listAllLinks(
  { limit = LIST_LIMIT_DEFAULT, cursor, ...filter }: AdminLinkListQuery,
  dependencies: AllLinksDependencies,
): Promise<{ data: AdminLink[]; nextCursor: string | null }> {
  const now = dependencies.clock();
  const query = toStoreQuery(filter, dependencies, now);
  const { links, next } = await readPage(cursor, (after) =>
    dependencies.store.administration.listAllLinks({ ...query, limit, after }),
  );
  const data = links.map((link) => toAdminLink(link, dependencies, now));
  return { data, nextCursor: toCursor(next) };
}

/**
 * How many links there are: what a block would affect.
 *
 * @throws ServiceError `invalid_request`
 */
export async function countAllLinks(
  filter: AdminLinkCountQuery,
  dependencies: AllLinksDependencies,
): Promise<{ count: number; isComplete: boolean }> {
  const query = toStoreQuery(filter, dependencies, dependencies.clock());
  let count = 0;
  let after: string | null = null;
  do {
    const page: AllLinksPage = await dependencies.store.administration.listAllLinks({
      ...query,
      limit: Math.min(COUNTED_TOGETHER, COUNTED_LINKS_MAX - count),
      after,
    });
    count += page.links.length;
    after = page.next;
  } while (after !== null && count < COUNTED_LINKS_MAX);
  return { count, isComplete: after === null };
}

/** @throws ServiceError `invalid_request` */
function toStoreQuery(
  { q, host, accountId, domain: domainHost, status }: AdminLinkCountQuery,
  dependencies: AllLinksDependencies,
  now: number,
): Omit<AllLinksQuery, 'limit' | 'after'> {
  const parsedHost = host === undefined ? null : parseHost(host);
  if (parsedHost === undefined) throw invalidHost('host');
  const domain = domainHost === undefined ? undefined : dependencies.domains.find(domainHost);
  if (domainHost !== undefined && !domain) {
    throw invalidField('domain', 'Must be a domain of this server, such as go.example.');
  }
  const named = storedAliasOf(q, dependencies.domains);
  const words = searchWords(named ?? q ?? null);
  const matches = (link: Link) => {
    if (isOutdated(link, now)) return false;
    if (domain && !isOnDomain(link, domain)) return false;
    // The store also looks in what administrators must not see.
    const isFound =
      words.length === 0 || hasAllWords(searchedText(link, ADMINISTRATORS_FIELDS), words);
    if (!isFound || (named !== undefined && !aliasesOf(link).includes(named))) return false;
    const actual = statusOf(link, now, dependencies);
    return status === undefined ? actual !== 'deleted' : actual === status;
  };
  return {
    // A store finds a domain as the beginning of an alias: a database sends no other links.
    search: [named ?? q, domain?.prefix].filter(Boolean).join(' ') || null,
    ...{ host: parsedHost, accountId: accountId ?? null, matches },
  };
}

/** Whether it is the domain of the link's alias; previous ones may be on others. */
export function isOnDomain({ alias }: Link, { prefix }: Domain): boolean {
  return prefix === '' ? !alias.includes('/') : alias.startsWith(prefix);
}

/** A link as the administrator sees it. */
export function toAdminLink(
  link: Link,
  dependencies: AllLinksDependencies,
  now: number,
): AdminLink {
  const { accountId, targetUrl } = link;
  const record = { ...toLinkRecord(link, dependencies, now), accountId, targetUrl };
  return Object.fromEntries(SHOWN.map((name) => [name, record[name]])) as AdminLink;
}
