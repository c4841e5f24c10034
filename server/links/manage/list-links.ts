import { ADDRESS_PATTERN, LINKS_COUNTED_MAX, LIST_LIMIT_DEFAULT } from '../../../shared/limits.ts';
import type { LinkFilter, LinkListQuery, LinkTotal } from '../../../shared/links/link-list.ts';
import type { BlockList } from '../../blocks/block-list.ts';
import { knownDomain } from '../../domains/named-domain.ts';
import { storedAliasOf, toStoredAlias } from '../../domains/short-address.ts';
import type { ShortDomains } from '../../domains/short-domains.ts';
import type { Clock } from '../../lib/clock.ts';
import { aliasesOf } from '../../store/decide/aliases.ts';
import type { Link, LinkQuery } from '../../store/link.ts';
import { linkFilter } from '../../store/records/link-filter.ts';
import type { Store } from '../../store/store.ts';
import { statusOf } from '../to-link-record.ts';
import { readCursor, toCursor } from './link-cursor.ts';
import { isOutdated } from './own-link.ts';

export type ListDependencies = {
  store: Store;
  clock: Clock;
  blocks: BlockList;
  domains: ShortDomains;
};

type Filter = Pick<
  LinkQuery,
  'accountId' | 'search' | 'tag' | 'originalUrl' | 'isDeleted' | 'matches'
>;
type ListedLinks = { links: Link[]; nextCursor: string | null; total?: LinkTotal };

/** A page of the account's links, with the cursor of the next page. A link whose alias is searched comes first. */
export async function listLinks(
  accountId: string,
  { limit = LIST_LIMIT_DEFAULT, cursor, sort = 'created', ...filter }: LinkListQuery,
  dependencies: ListDependencies,
): Promise<ListedLinks> {
  const query = toStoreFilter(accountId, filter, dependencies);
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

/** Which links a filter means, as a store knows it. @throws ServiceError `invalid_domain` */
export function toStoreFilter(
  accountId: string,
  { q, tag, status, originalUrl, domain: host }: LinkFilter & Pick<LinkListQuery, 'originalUrl'>,
  dependencies: Pick<ListDependencies, 'clock' | 'blocks' | 'domains'>,
): Filter {
  const { clock, domains } = dependencies;
  const now = clock();
  const domain = host === undefined ? undefined : knownDomain(host, domains);
  const named = storedAliasOf(q, domains);
  const matches = (link: Link) =>
    (named === undefined || aliasesOf(link).includes(named)) &&
    (!domain || domains.split(link.alias).domain === domain) &&
    (!status || (!isOutdated(link, now) && statusOf(link, now, dependencies) === status));
  return {
    accountId,
    // Stores find a domain as the beginning of an alias.
    search: [named ?? q, domain?.prefix].filter(Boolean).join(' ') || null,
    tag: tag || null,
    originalUrl: originalUrl || undefined,
    isDeleted: status === 'deleted',
    ...((status || domain || named !== undefined) && { matches }),
  };
}

/** The link that has what is searched for as its alias, if it passes the other conditions. */
async function findNamed(
  query: Filter,
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
