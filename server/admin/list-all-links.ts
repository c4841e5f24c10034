import {
  type AdminLink,
  type AdminLinkCountQuery,
  type AdminLinkListQuery,
  adminLinkSchema,
} from '../../shared/admin/links.ts';
import { LINKS_COUNTED_MAX, LIST_LIMIT_DEFAULT } from '../../shared/bounds.ts';
import { ADMINISTRATORS_FIELDS } from '../../shared/links/plain-fields.ts';
import { searchWords } from '../../shared/links/search-words.ts';
import { hasAllWords, searchedText } from '../../shared/links/searched-text.ts';
import type { Domain, Domains } from '../domains/short-domains.ts';
import { parseHost } from '../lib/host-name.ts';
import { invalidField } from '../lib/service-error.ts';
import {
  countLinks,
  type Filters,
  LINK_FILTERS,
  readLinkCursor,
  toConditions,
  toLinkCursor,
} from '../links/manage/list-links.ts';
import { type RecordDependencies, toLinkRecord } from '../links/to-link-record.ts';
import type { Link } from '../store/link.ts';
import type { AuditDependencies } from './audit.ts';
import { invalidHost } from './blocks.ts';

export type AllLinksDependencies = AuditDependencies & RecordDependencies & { domains: Domains };

const SHOWN = Object.keys(adminLinkSchema.shape) as (keyof AdminLink)[];

/**
 * Lists a page of the links of all accounts.
 *
 * @throws ServiceError `invalid_request`
 */
export async function listAllLinks(
  { limit = LIST_LIMIT_DEFAULT, cursor, accountId, ...filter }: AdminLinkListQuery,
  dependencies: AllLinksDependencies,
): Promise<{ data: AdminLink[]; nextCursor: string | null }> {
  const now = dependencies.clock();
  const query = { accountId: accountId ?? null, ...toConditions(FILTERS, filter, dependencies) };
  const after = cursor === undefined ? null : readLinkCursor('created', cursor).after;
  const { links, next } = await dependencies.store.listLinks({ ...query, limit, after });
  const data = links.map((link) => toAdminLink(link, dependencies, now));
  return { data, nextCursor: next && toLinkCursor('created', { after: next }) };
}

/**
 * Counts links: what a block would affect.
 *
 * @throws ServiceError `invalid_request`
 */
export async function countAllLinks(
  { accountId, ...filter }: AdminLinkCountQuery,
  dependencies: AllLinksDependencies,
): Promise<{ count: number; isComplete: boolean }> {
  const query = { accountId: accountId ?? null, ...toConditions(FILTERS, filter, dependencies) };
  const { count, isExact } = await countLinks(query, dependencies, LINKS_COUNTED_MAX);
  return { count, isComplete: isExact };
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

/** Returns a link as the administrator sees it. */
export function toAdminLink(
  link: Link,
  dependencies: AllLinksDependencies,
  now: number,
): AdminLink {
  const { accountId, targetUrl } = link;
  const record = { ...toLinkRecord(link, dependencies, now), accountId, targetUrl };
  return Object.fromEntries(SHOWN.map((name) => [name, record[name]])) as AdminLink;
}
