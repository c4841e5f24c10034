import { ADDRESS_PATTERN } from '../../shared/bounds.ts';
import { linkFilterSchema } from '../../shared/links/link-list.ts';
import { type Domain, storedAliasOf, toStoredAlias } from '../domains/short-domains.ts';
import { parseInput } from '../lib/parse-input.ts';
import { ServiceError } from '../lib/service-error.ts';
import {
  eachPage,
  LINK_FILTERS,
  type ListDependencies,
  toConditions,
} from '../links/manage/list-links.ts';
import { findOwnLink } from '../links/manage/own-link.ts';
import type { Link } from '../store/link.ts';
import type { LinkConditions, LinkPosition } from '../store/link-calls.ts';
import type { KeyCall } from './key-call.ts';

/** Lists by page numbers, and in orders that no store has, read links from the start. */
export const LISTED_MAX = 10_000;

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
  // No link has another alias, and PostgreSQL can't even be asked for one with a NUL.
  if (!ADDRESS_PATTERN.test(alias)) throw new ServiceError('not_found', 'There is no such link.');
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

/**
 * Reads links of an account from the start, at most `LISTED_MAX`. A page of a store ends early if its links are
 * large.
 *
 * @throws ServiceError `invalid_request` for more words than the API allows
 */
export async function listFromStart(
  { account }: KeyCall,
  { sort = 'created', matches, ...filter }: Wanted,
  limit: number,
  dependencies: ListDependencies,
): Promise<ListedLinks> {
  const given = parseInput(filterSchema, withoutAbsent(filter));
  const conditions = both(toConditions(LINK_FILTERS, given, dependencies), matches);
  const query = { ...conditions, accountId: account.id, sort };
  const links: Link[] = [];
  let total: number | undefined;
  let after: LinkPosition | null = null;
  do {
    const page = await dependencies.store.listLinks({
      ...query,
      after,
      limit: Math.max(1, limit - links.length),
      ...(total === undefined && { countUpTo: Number.POSITIVE_INFINITY }),
    });
    links.push(...page.links);
    total ??= page.total?.count ?? 0;
    after = page.next;
  } while (after && links.length < limit);
  return { links: links.slice(0, limit), total };
}

const filterSchema = linkFilterSchema.pick({ q: true, tag: true, domain: true });

function withoutAbsent(filter: object): object {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** Yields all links of an account that are not deleted, the newest first. */
export async function* eachLink(
  { account }: KeyCall,
  { store }: Pick<ListDependencies, 'store'>,
): AsyncGenerator<Link> {
  const pages = eachPage(store, { accountId: account.id, isDeleted: false });
  for await (const page of pages) yield* page;
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
