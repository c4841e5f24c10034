import { ADDRESS_PATTERN, LINKS_COUNTED_MAX, LIST_LIMIT_DEFAULT } from '../../../shared/limits.ts';
import type { LinkFilter, LinkListQuery, LinkTotal } from '../../../shared/links/link-list.ts';
import { knownDomain } from '../../domains/named-domain.ts';
import { storedAliasOf, toStoredAlias } from '../../domains/short-address.ts';
import type { Link, LinkConditions, LinkQuery } from '../../store/link.ts';
import { linkFilter } from '../../store/records/link-filter.ts';
import type { Store } from '../../store/store.ts';
import { readCursor, toCursor } from './link-cursor.ts';
import { type FilterDependencies, LINK_FILTERS, toConditions } from './link-filters.ts';

export type ListDependencies = FilterDependencies & { store: Store };

type ListedLinks = { links: Link[]; nextCursor: string | null; total?: LinkTotal };

/** A page of the account's links, with the cursor of the next page. A link whose alias is searched comes first. */
export async function listLinks(
  accountId: string,
  { limit = LIST_LIMIT_DEFAULT, cursor, sort = 'created', ...filter }: LinkListQuery,
  dependencies: ListDependencies,
): Promise<ListedLinks> {
  const query = { accountId, ...toConditions(LINK_FILTERS, filter, dependencies) };
  const { after, firstId } =
    cursor === undefined ? { after: null, firstId: undefined } : readCursor(sort, cursor);
  const first = cursor === undefined ? await findNamed(query, filter, dependencies) : undefined;
  const exceptId = first?.id ?? firstId;
  const page = await dependencies.store.listLinks({
    ...query,
    sort,
    after,
    // A store has no empty pages.
    limit: first ? Math.max(1, limit - 1) : limit,
    ...(exceptId !== undefined && { exceptId }),
    ...(cursor === undefined && { countUpTo: LINKS_COUNTED_MAX }),
  });
  const links = first ? [first, ...page.links] : page.links;
  const isCut = links.length > limit;
  const next = isCut ? null : page.next;
  return {
    links: links.slice(0, limit),
    nextCursor: isCut || next ? toCursor(sort, { after: next, firstId: exceptId }) : null,
    ...(page.total && { total: first ? withOneMore(page.total) : page.total }),
  };
}

/** The link that has what is searched for as its alias, if it passes the other conditions. */
async function findNamed(
  query: LinkConditions & Pick<LinkQuery, 'accountId'>,
  { q = '', domain }: Pick<LinkFilter, 'q' | 'domain'>,
  { store, domains }: Pick<ListDependencies, 'store' | 'domains'>,
): Promise<Link | undefined> {
  const named = storedAliasOf(q, domains);
  if (named === undefined && !ADDRESS_PATTERN.test(q)) return undefined;
  const storedAlias = named ?? toStoredAlias(q, knownDomain(domain, domains), domains);
  const link = await store.findLink(storedAlias);
  const isListed = link?.accountId === query.accountId && linkFilter(query)(link);
  return isListed ? link : undefined;
}

function withOneMore({ count, isExact }: LinkTotal): LinkTotal {
  return isExact && count < LINKS_COUNTED_MAX
    ? { count: count + 1, isExact }
    : { count: LINKS_COUNTED_MAX, isExact: false };
}
