import { urlsOf } from '../../../shared/links/destinations.ts';
import type { LinkSort } from '../../../shared/links/link-list.ts';
import { foldSearched } from '../../../shared/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import { Turns } from '../../lib/turns.ts';
import type { Account } from '../account.ts';
import {
  type AccountPage,
  type AccountQuery,
  type CountsPerDay,
  InvalidPositionError,
} from '../administration.ts';
import type { Link } from '../link.ts';
import type { LinkPage, LinkPageQuery, LinkPosition } from '../link-calls.ts';
import { aliasOrder, hasOtherUrls, linkFilter, predicatesOf } from '../lists/link-filter.ts';
import { type Place, toPage, toPlace, upTo } from '../lists/link-page.ts';
import { ListPlaces } from '../lists/list-places.ts';
import { LinksSum } from '../statistics/history.ts';
import { addTo, type Statistics, type VisitsWithTag } from '../visits.ts';
import type { LinkOrder } from './data/account-entry.ts';
import type { FolderData } from './data/folder-data.ts';

/** Characters of links that all lists together look at in a turn of the event loop, which takes a millisecond or two. */
const CHARACTERS_AT_ONCE = 64 * 1024;
/** As much work as looking at what a link has besides its texts. */
const LINK_CHARACTERS = 32;
/** Accounts or aliases that a list looks at in a turn. */
const AT_ONCE = 2000;
/** The busiest links have a millisecond's work each. */
const HISTORIES_AT_ONCE = 10;

type LinkKey = Exclude<LinkSort, 'created'>;

/**
 * Pages of links and accounts, which are found by looking at all of them, some in each turn. However many lists are
 * read, one of them goes on in a turn: what others wait for is the work of one.
 */
export class Lists {
  readonly #data: FolderData;
  readonly #charactersAtOnce: number;
  readonly #turns = new Turns();
  readonly #ofAccounts = new ListPlaces();

  constructor(data: FolderData, charactersAtOnce = CHARACTERS_AT_ONCE) {
    this.#data = data;
    this.#charactersAtOnce = charactersAtOnce;
  }

  /** See `Store.listLinks`. */
  async links(query: LinkPageQuery): Promise<LinkPage> {
    const { accountId, waits } = query;
    if (accountId === null) return this.#page(query);
    return this.#ofAccounts.use(accountId, () => this.#page(query), waits);
  }

  async #page(query: LinkPageQuery): Promise<LinkPage> {
    const { accountId, limit, after, sort = 'created', countUpTo = 0 } = query;
    const isCounted = after === null && query.countUpTo !== undefined;
    // That of all accounts would have those of deleted ones, which are removed a little later.
    const isKnown = isCounted && accountId !== null;
    const known = isKnown ? knownCount(query, this.#data.linksOf(accountId)) : undefined;
    const enough = isCounted && known === undefined ? countUpTo + 1 : 0;
    const { places, count } = await (sort === 'created'
      ? this.#newest(query, Math.max(limit + 1, enough))
      : this.#sorted(query, sort));
    const total = isCounted && { total: upTo(countUpTo, known ?? count) };
    return { ...toPage(places, limit), ...total };
  }

  /** See `Administration.hasAliases`. */
  async hasAliases(host: string): Promise<boolean> {
    let seen = 0;
    for (const alias of this.#data.aliases()) {
      if (alias.startsWith(`${host}/`)) return true;
      if (++seen % AT_ONCE === 0) await this.#turns.next();
    }
    return false;
  }

  /** @param enough so many links are counted at most */
  async #newest(query: LinkPageQuery, enough: number): Promise<{ places: Place[]; count: number }> {
    const places: Place[] = [];
    const passes = linkFilter(query);
    let count = 0;
    await this.#each(this.#orderOf(query), query.after, (link) => {
      if (passes(link) && ++count <= query.limit + 1) places.push(toPlace(link));
      return count < enough;
    });
    return { places, count };
  }

  async #sorted(query: LinkPageQuery, sort: LinkKey): Promise<{ places: Place[]; count: number }> {
    const sorted = new SortedLinks(query.limit + 1, query.after, sort === 'alias');
    const passes = linkFilter(query);
    let count = 0;
    await this.#each(this.#orderOf(query), null, (link) => {
      if (passes(link) && ++count) sorted.add(link, this.#keyOf(link, sort));
      return true;
    });
    return { places: sorted.first(), count };
  }

  #keyOf(link: Link, sort: LinkKey): number | string {
    if (sort === 'alias') return aliasOrder(link);
    return sort === 'visits' ? link.hits : this.#data.statistics.lastVisit(link.id);
  }

  /** See `Store.readStatistics`. @param now the current hour */
  statistics(of: VisitsWithTag, now: number): Promise<Statistics> {
    return this.#ofAccounts.use(of.accountId, () => this.#sumUp(of, now));
  }

  async #sumUp({ accountId, tag }: VisitsWithTag, now: number): Promise<Statistics> {
    const links = await this.find(linkFilter({ tag, isDeleted: false }), accountId);
    const sum = new LinksSum();
    let seen = 0;
    for (const { id } of links) {
      const history = this.#data.statistics.ofLink(id);
      if (!history) continue;
      sum.add(id, history);
      if (++seen % HISTORIES_AT_ONCE === 0) await this.#turns.next();
    }
    return sum.toStatistics(now);
  }

  /** All links that pass: of an account, or of all. */
  async find(passes: (link: Link) => boolean, accountId: string | null = null): Promise<Link[]> {
    const found: Link[] = [];
    await this.#each(this.#orderOf({ accountId }), null, (link) => {
      if (passes(link)) found.push(link);
      return true;
    });
    return found;
  }

  /** See `Administration.listAccounts`. A position is the id of an account. */
  async accounts({ limit, after, search }: AccountQuery): Promise<AccountPage> {
    const { accountList } = this.#data;
    const wanted = foldSearched(search ?? '');
    let index = after === null ? accountList.length : this.#data.indexOfAccount(after);
    if (index === undefined) throw new InvalidPositionError();
    const accounts: Account[] = [];
    while (index-- > 0) {
      if (index % AT_ONCE === 0) await this.#turns.next();
      const account = accountList[index]?.account;
      if (
        !account ||
        ![account.id, account.name].some((text) => foldSearched(text).includes(wanted))
      ) {
        continue;
      }
      if (accounts.length === limit) return { accounts, next: accounts.at(-1)?.id ?? null };
      accounts.push(account);
    }
    return { accounts, next: null };
  }

  /** See `Administration.countPerDay`. */
  async perDay(from: number): Promise<CountsPerDay> {
    const counts: CountsPerDay = { links: new Map(), accounts: new Map(), visits: new Map() };
    await this.#each(this.#orderOf({ accountId: null }), null, ({ created }) => {
      if (created < from) return false;
      addTo(counts.links, startOfDay(created), 1);
      return true;
    });
    let seen = 0;
    for (const { account } of this.#data.accountList) {
      if (++seen % AT_ONCE === 0) await this.#turns.next();
      if (!account) continue;
      if (account.created >= from) addTo(counts.accounts, startOfDay(account.created), 1);
      const perDay = this.#data.statistics.peoplePerDay({ accountId: account.id }, from);
      for (const [day, people] of perDay) addTo(counts.visits, day, people);
    }
    return counts;
  }

  #orderOf({ accountId }: Pick<LinkPageQuery, 'accountId'>): () => LinkOrder | undefined {
    return () => (accountId === null ? this.#data.allLinks : this.#data.linksOf(accountId));
  }

  /**
   * Looks at links, newest first, until one of them is enough.
   *
   * @param order read again after each pause, because it can change
   * @param look returns whether to go on
   */
  async #each(
    order: () => LinkOrder | undefined,
    after: LinkPosition | null,
    look: (link: Link) => boolean,
  ): Promise<void> {
    let position = after;
    let characters: number;
    do {
      await this.#turns.next();
      characters = 0;
      for (const link of order()?.newestFirst(position) ?? []) {
        // Those of deleted accounts are removed a little later.
        if (!this.#data.isDeleted(link.accountId) && !look(link)) return;
        position = link;
        characters += charactersOf(link);
        if (characters >= this.#charactersAtOnce) break;
      }
    } while (characters >= this.#charactersAtOnce);
  }
}

/** How much there is to look at in a link. */
function charactersOf(link: Link): number {
  const { originalUrl, title, label, description, tags, previousAliases } = link;
  let characters = LINK_CHARACTERS + originalUrl.length + title.length + label.length;
  if (description !== null) characters += description.length;
  for (const text of tags) characters += text.length;
  for (const text of previousAliases) characters += text.length;
  if (!hasOtherUrls(link)) return characters;
  const { rules, goneUrl, card } = link;
  return urlsOf({ rules, goneUrl, card }).reduce((sum, { url }) => sum + url.length, characters);
}

/** How many links there are without any other condition. */
function knownCount(
  { isDeleted, ...others }: LinkPageQuery,
  order: LinkOrder | undefined,
): number | undefined {
  if (predicatesOf(others).length > 0) return undefined;
  const { count, deletedCount } = order ?? { count: 0, deletedCount: 0 };
  if (isDeleted === undefined) return count;
  return isDeleted ? deletedCount : count - deletedCount;
}

/** Collects the first links after a position, in the order of keys that are known only link by link. */
class SortedLinks {
  readonly #max: number;
  readonly #after: LinkPosition | null;
  readonly #compare: (one: LinkPosition, other: LinkPosition) => number;
  #places: Place[] = [];
  /** Nothing after it can be among the first ones. */
  #last: Place | undefined;

  constructor(max: number, after: LinkPosition | null, isAscending: boolean) {
    this.#max = max;
    this.#after = after;
    this.#compare = isAscending
      ? (one, other) => compareKeys(one, other) || newestFirst(one, other)
      : (one, other) => compareKeys(other, one) || newestFirst(one, other);
  }

  add(link: Link, key: number | string): void {
    const place = { key, created: link.created, id: link.id, link };
    if (this.#after && this.#compare(place, this.#after) <= 0) return;
    if (this.#last && this.#compare(place, this.#last) > 0) return;
    // Sorting now and then takes less time than finding a place for each link.
    if (this.#places.push(place) === 2 * this.#max) this.#sort();
  }

  first(): Place[] {
    this.#sort();
    return this.#places;
  }

  #sort(): void {
    this.#places = this.#places.sort(this.#compare).slice(0, this.#max);
    this.#last = this.#places[this.#max - 1];
  }
}

function compareKeys({ key: one = 0 }: LinkPosition, { key: other = 0 }: LinkPosition): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function newestFirst(one: LinkPosition, other: LinkPosition): number {
  if (one.created !== other.created) return other.created - one.created;
  return one.id === other.id ? 0 : one.id < other.id ? 1 : -1;
}

function startOfDay(time: number): number {
  return time - (time % DAY_MS);
}
