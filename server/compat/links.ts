import { storedAliasOf, toStoredAlias } from '../domains/named-domain.ts';
import type { Domain } from '../domains/short-domains.ts';
import { ServiceError } from '../lib/service-error.ts';
import { LINK_FILTERS, type ListDependencies, toConditions } from '../links/manage/list-links.ts';
import { findOwnLink } from '../links/manage/own-link.ts';
import type { Link } from '../store/link.ts';
import type { LinkConditions } from '../store/link-calls.ts';
import type { KeyCall } from './key-call.ts';

/** Lists by page numbers, and in orders that no store has, read links from the start. */
export const LISTED_MAX = 10_000;
const PAGE = 500;

/** Returns the alias in the store of an alias, or of a short URL on one of the domains. */
export function storedAlias(
  text: string,
  { domains }: Pick<ListDependencies, 'domains'>,
  domain: Domain = domains.first,
): string {
  return storedAliasOf(text, domains) ?? toStoredAlias(text, domain, domains);
}

/** @throws ServiceError `not_found`, also for a deleted link: the other APIs have none */
export async function findLink(
  { account }: KeyCall,
  alias: string,
  dependencies: ListDependencies,
): Promise<Link> {
  const link = await findOwnLink({ account, alias }, dependencies);
  if (link.deletedAt === null) return link;
  throw new ServiceError('not_found', 'The link is deleted.');
}

/** What a list asks for, as `GET /api/links` has it, and tests of its own. */
export type Wanted = {
  q?: string | undefined;
  tag?: string | undefined;
  domain?: string | undefined;
  sort?: 'created' | 'visits' | 'alias' | undefined;
  matches?: ((link: Link) => boolean) | undefined;
};

export type ListedLinks = { links: Link[]; total: number };

/** Reads links of an account from the start, at most `LISTED_MAX`. */
export async function listFromStart(
  { account }: KeyCall,
  { sort = 'created', matches, ...filter }: Wanted,
  limit: number,
  dependencies: ListDependencies,
): Promise<ListedLinks> {
  const conditions = both(toConditions(LINK_FILTERS, filter, dependencies), matches);
  const { links, total } = await dependencies.store.listLinks({
    ...conditions,
    accountId: account.id,
    sort,
    after: null,
    limit: Math.max(1, limit),
    countUpTo: Number.POSITIVE_INFINITY,
  });
  return { links: links.slice(0, limit), total: total?.count ?? links.length };
}

/** Sums up all links of an account. */
export async function* eachLink(
  { account }: KeyCall,
  { store }: Pick<ListDependencies, 'store'>,
): AsyncGenerator<Link> {
  const query = { accountId: account.id, isDeleted: false, limit: PAGE };
  for (let after = null as Parameters<typeof store.listLinks>[0]['after']; ; ) {
    const page = await store.listLinks({ ...query, after });
    yield* page.links;
    if (!page.next) return;
    after = page.next;
  }
}

/** The number of links, and the visits of all. */
export async function totalsOf(
  call: KeyCall,
  dependencies: ListDependencies,
): Promise<{ links: number; visits: number }> {
  let [links, visits] = [0, 0];
  for await (const { hits } of eachLink(call, dependencies)) {
    links++;
    visits += hits;
  }
  return { links, visits };
}

function both(conditions: LinkConditions, matches: Wanted['matches']): LinkConditions {
  const { matches: first } = conditions;
  if (!matches) return conditions;
  return { ...conditions, matches: first ? (link) => first(link) && matches(link) : matches };
}
