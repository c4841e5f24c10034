import { z } from 'zod';
import {
  ADDRESS_PATTERN,
  LINKS_COUNTED_MAX,
  LIST_LIMIT_DEFAULT,
  VISITS_DAYS,
} from '../../../shared/bounds.ts';
import {
  LINK_SORTS,
  type LinkFilter,
  type LinkSort,
  type LinkTotal,
  type linkListQuerySchema,
} from '../../../shared/links/link-list.ts';
import { eachExactField } from '../../../shared/links/plain-fields.ts';
import { nameOf } from '../../../shared/schemas.ts';
import type { AccountStatistics } from '../../../shared/statistics.ts';
import type { BlockList } from '../../blocks/block-list.ts';
import {
  type Domains,
  knownDomain,
  storedAliasOf,
  toStoredAlias,
} from '../../domains/short-domains.ts';
import { invalidCursor } from '../../lib/service-error.ts';
import { type Clock, DAY_MS } from '../../lib/time.ts';
import { isGone, type Link } from '../../store/link.ts';
import type {
  LinkConditions,
  LinkPage,
  LinkPageQuery,
  LinkPosition,
} from '../../store/link-calls.ts';
import { linkFilter } from '../../store/lists/link-filter.ts';
import { aliasesOf } from '../../store/rules/aliases.ts';
import type { Store } from '../../store/store.ts';
import { type RecordDependencies, statusOf, toAliasFields } from '../to-link-record.ts';
import type { FindDependencies } from './own-link.ts';

/** See `aliasOrder`. */
const ALIAS_KEY = /^[\w-]{1,64}( [!-~]{1,260})?$/;
const idSchema = nameOf('ID of a link.');
const cursorSchema = z.object({
  sort: z.enum(LINK_SORTS),
  /** Null before the first link. */
  after: z
    .object({
      created: z.int(),
      id: idSchema,
      key: z.union([z.int(), z.string().regex(ALIAS_KEY)]).exactOptional(),
    })
    .nullable(),
  /** The link that came before all others. */
  firstId: idSchema.exactOptional(),
});

/** Where a list goes on. */
type LinkCursor = { after: LinkPosition | null; firstId?: string | undefined };

export function toLinkCursor(sort: LinkSort, cursor: LinkCursor): string {
  return Buffer.from(JSON.stringify({ sort, ...cursor })).toString('base64url');
}

const KEY_TYPES = { created: 'undefined', alias: 'string', visits: 'number', lastVisit: 'number' };

/** @throws ServiceError `invalid_request` if it is none, or one of a list in another order */
export function readLinkCursor(sort: LinkSort, text: string): LinkCursor {
  try {
    const json = JSON.parse(Buffer.from(text, 'base64url').toString());
    const { sort: sorted, ...cursor } = cursorSchema.parse(json);
    const hasKey = cursor.after === null || typeof cursor.after.key === KEY_TYPES[sort];
    if (sorted === sort && hasKey) return cursor;
  } catch {
    // It is none.
  }
  throw invalidCursor();
}

export type FilterDependencies = {
  store: Pick<Store, 'certainTime'>;
  clock: Clock;
  blocks: BlockList;
  domains: Domains;
};

/** How each filter of a request asks the store: one that is not here does not compile. */
export type Filters<Filter> = {
  [K in keyof Filter]-?: (
    value: NonNullable<Filter[K]>,
    dependencies: FilterDependencies,
  ) => LinkConditions;
};

/** Throws ServiceError `invalid_domain`. */
export const LINK_FILTERS: Filters<LinkFilter> = {
  q: (q, { domains }) => {
    const named = storedAliasOf(q, domains);
    if (named === undefined) return { search: q };
    return { search: named, matches: (link) => aliasesOf(link).includes(named) };
  },
  tag: (tag) => ({ tag }),
  domain: (host, { domains }) => {
    const domain = knownDomain(host, domains);
    // Stores find a domain as the beginning of an alias.
    return {
      search: domain.prefix,
      matches: ({ alias }) => domains.split(alias).domain === domain,
    };
  },
  status: (status, dependencies) => {
    const now = dependencies.clock();
    const certain = dependencies.store.certainTime(now);
    return {
      isDeleted: status === 'deleted',
      matches: (link) => !isGone(link, certain) && statusOf(link, now, dependencies) === status,
    };
  },
  ...eachExactField((name) => (value: unknown) => ({ [name]: value })),
};

/** Returns the conditions of all filters that are given. Deleted links pass only if one asks for them. */
export function toConditions<Filter extends object>(
  filters: Filters<Filter>,
  given: Filter,
  dependencies: FilterDependencies,
): LinkConditions {
  const names = Object.keys(filters) as (keyof Filter)[];
  const parts = names.flatMap((name) => {
    const value = given[name];
    // An empty text is none, but 0 is a value.
    return value == null || value === '' ? [] : [filters[name](value, dependencies)];
  });
  const searches = parts.flatMap(({ search }) => search || []);
  const tests = parts.flatMap(({ matches }) => matches ?? []);
  return {
    ...Object.assign({ isDeleted: false }, ...parts),
    search: searches.join(' '),
    matches: tests.length > 0 ? (link) => tests.every((passes) => passes(link)) : undefined,
  };
}

export type ListDependencies = FilterDependencies & { store: Store };

/** Links of one account, or for administrators of all. */
type ListConditions = LinkConditions & Pick<LinkPageQuery, 'accountId'>;

const PAGE_LINKS = 200;

/** Yields the links that match, newest first, in pages. */
export async function* eachPage(store: Store, conditions: ListConditions): AsyncGenerator<Link[]> {
  let after: LinkPosition | null = null;
  do {
    // What was sent of a file can't be taken back.
    const query = { ...conditions, limit: PAGE_LINKS, after, waits: after !== null };
    const page: LinkPage = await store.listLinks(query);
    yield page.links;
    after = page.next;
  } while (after);
}

/** Counts links. @param countUpTo as an exact number; @default all of them */
export async function countLinks(
  conditions: ListConditions,
  { store }: Pick<ListDependencies, 'store'>,
  countUpTo = Number.POSITIVE_INFINITY,
): Promise<LinkTotal> {
  const { total } = await store.listLinks({ ...conditions, limit: 1, after: null, countUpTo });
  return total ?? { count: 0, isExact: true };
}

type ListedLinks = { links: Link[]; nextCursor: string | null; total?: LinkTotal };

/**
 * Lists a page of the account's links, with the cursor of the next page. A link whose alias is searched comes
 * first.
 */
export async function listLinks(
  accountId: string,
  {
    limit = LIST_LIMIT_DEFAULT,
    cursor,
    sort = 'created',
    ...filter
  }: z.output<typeof linkListQuerySchema>,
  dependencies: ListDependencies,
): Promise<ListedLinks> {
  const query = { accountId, ...toConditions(LINK_FILTERS, filter, dependencies) };
  const { after, firstId } =
    cursor === undefined ? { after: null, firstId: undefined } : readLinkCursor(sort, cursor);
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
    nextCursor: isCut || next ? toLinkCursor(sort, { after: next, firstId: exceptId }) : null,
    ...(page.total && { total: first ? withOneMore(page.total) : page.total }),
  };
}

/** The link that has what is searched for as its alias, if it passes the other conditions. */
async function findNamed(
  query: ListConditions,
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

/** Looks up the most visited links of an account. Leaves out those that it has no more. */
export async function findTopLinks(
  top: readonly { key: string; people: number }[],
  accountId: string,
  { store, clock, domains }: FindDependencies & Pick<RecordDependencies, 'domains'>,
): Promise<AccountStatistics['topLinks']> {
  const links = await Promise.all(top.map(({ key }) => store.administration.findLinkById(key)));
  return top.flatMap(({ people }, index) => {
    const link = links[index];
    if (link?.accountId !== accountId || isGone(link, store.certainTime(clock()))) return [];
    const { alias, shortUrl } = toAliasFields(link, domains);
    return [{ alias, shortUrl, title: link.title, label: link.label, people }];
  });
}

/** Visitors of each link on each of the last 30 days (UTC), oldest first. */
export async function readVisits30(
  linkIds: readonly string[],
  { store, clock }: { store: Store; clock: Clock },
): Promise<number[][]> {
  const first = (Math.floor(clock() / DAY_MS) - VISITS_DAYS + 1) * DAY_MS;
  const perDay = await store.readVisitsPerDay(linkIds, first);
  // Few days have visitors, and this is done for each row of a list.
  return linkIds.map((id) => {
    const days = new Array<number>(VISITS_DAYS).fill(0);
    for (const [day, people] of perDay.get(id) ?? []) {
      const index = (day - first) / DAY_MS;
      if (index < VISITS_DAYS) days[index] = people;
    }
    return days;
  });
}
