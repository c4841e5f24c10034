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
import type { Domain, ShortDomains } from '../domains/short-domains.ts';
import { parseHost } from '../lib/host-name.ts';
import { invalidField } from '../lib/invalid-field.ts';
import { type Filters, LINK_FILTERS, toConditions } from '../links/manage/link-filters.ts';
import { type RecordDependencies, toLinkRecord } from '../links/to-link-record.ts';
import type { AllLinksPage } from '../store/administration.ts';
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
  { limit = LIST_LIMIT_DEFAULT, cursor, accountId, ...filter }: AdminLinkListQuery,
  dependencies: AllLinksDependencies,
): Promise<{ data: AdminLink[]; nextCursor: string | null }> {
  const now = dependencies.clock();
  const query = { accountId: accountId ?? null, ...toConditions(FILTERS, filter, dependencies) };
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
  { accountId, ...filter }: AdminLinkCountQuery,
  dependencies: AllLinksDependencies,
): Promise<{ count: number; isComplete: boolean }> {
  const query = { accountId: accountId ?? null, ...toConditions(FILTERS, filter, dependencies) };
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

/** Throws ServiceError `invalid_request`. */
const FILTERS: Filters<Omit<AdminLinkCountQuery, 'accountId'>> = {
  ...LINK_FILTERS,
  q: (q, dependencies) => {
    const { search = null, matches } = LINK_FILTERS.q(q, dependencies);
    const words = searchWords(search);
    // The store also looks in what administrators must not see.
    const isShown = (link: Link) => hasAllWords(searchedText(link, ADMINISTRATORS_FIELDS), words);
    return { search, matches: (link) => isShown(link) && (matches?.(link) ?? true) };
  },
  host: (text) => {
    const host = parseHost(text);
    if (host === undefined) throw invalidHost('host');
    return { host };
  },
  domain: (host, dependencies) => {
    if (dependencies.domains.find(host)) return LINK_FILTERS.domain(host, dependencies);
    throw invalidField('domain', 'Must be a domain of this server, such as go.example.');
  },
};

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
