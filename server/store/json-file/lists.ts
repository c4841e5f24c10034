import type { LinkSort } from '../../../shared/links/link-list.ts';
import type { TagCount } from '../../../shared/links/tags.ts';
import { foldSearched } from '../../../shared/text.ts';
import type { Account } from '../account.ts';
import {
  type AccountPage,
  type AccountQuery,
  type AllLinksPage,
  type AllLinksQuery,
  InvalidPositionError,
} from '../administration.ts';
import type { Link, LinkPage, LinkPosition, LinkQuery } from '../link.ts';
import { aliasOrder } from '../records/alias-order.ts';
import { linkFilter, predicatesOf } from '../records/link-filter.ts';
import { type Place, toPage, toPlace, upTo } from '../records/link-page.ts';
import { formatPosition, parsePosition } from '../records/link-position.ts';
import { mostUsedTags } from '../records/most-used-tags.ts';
import type { Data } from './data/data.ts';
import type { LinkOrder } from './data/link-order.ts';
import { SortedLinks } from './sorted-links.ts';
import { TimeSlices } from './time-slices.ts';

/** Looking at the time for each link would take longer than most conditions. */
const AT_ONCE = 64;

type LinkKey = Exclude<LinkSort, 'created'>;

/** Pages of links and accounts, which are found by looking at all of them, in slices of time. */
export class Lists {
  readonly #data: Data;
  readonly #slices: TimeSlices;

  constructor(data: Data, slices = new TimeSlices()) {
    this.#data = data;
    this.#slices = slices;
  }

  /** See `Store.listLinks`. */
  async links(query: LinkQuery): Promise<LinkPage> {
    const { accountId, limit, after, sort = 'created', countUpTo = 0 } = query;
    const isCounted = after === null && query.countUpTo !== undefined;
    const known = isCounted ? knownCount(query, this.#data.linksOf(accountId)) : undefined;
    const enough = isCounted && known === undefined ? countUpTo + 1 : 0;
    const { places, count } = await (sort === 'created'
      ? this.#newest(query, Math.max(limit + 1, enough))
      : this.#sorted(query, sort));
    const total = isCounted && { total: upTo(countUpTo, known ?? count) };
    return { ...toPage(places, limit), ...total };
  }

  /** See `Administration.hasAliases`. */
  async hasAliases(host: string): Promise<boolean> {
    await this.#slices.next();
    let seen = 0;
    for (const alias of this.#data.aliases()) {
      if (alias.startsWith(`${host}/`)) return true;
      if (++seen % AT_ONCE === 0 && this.#slices.isOver) await this.#slices.next();
    }
    return false;
  }

  /** @param enough so many links are counted at most */
  async #newest(query: LinkQuery, enough: number): Promise<{ places: Place[]; count: number }> {
    const places: Place[] = [];
    const passes = linkFilter(query);
    let count = 0;
    await this.#each(
      () => this.#data.linksOf(query.accountId),
      query.after,
      (link) => {
        if (passes(link) && ++count <= query.limit + 1) places.push(toPlace(link));
        return count < enough;
      },
    );
    return { places, count };
  }

  async #sorted(query: LinkQuery, sort: LinkKey): Promise<{ places: Place[]; count: number }> {
    const sorted = new SortedLinks(query.limit + 1, query.after, sort === 'alias');
    const passes = linkFilter(query);
    let count = 0;
    await this.#each(
      () => this.#data.linksOf(query.accountId),
      null,
      (link) => {
        if (passes(link) && ++count) sorted.add(link, this.#keyOf(link, sort));
        return true;
      },
    );
    return { places: sorted.first(), count };
  }

  #keyOf(link: Link, sort: LinkKey): number | string {
    if (sort === 'alias') return aliasOrder(link);
    return sort === 'visits' ? link.hits : this.#data.statistics.lastVisit(link.id);
  }

  /** See `Store.countTags`. */
  async tags(accountId: string, limit: number): Promise<TagCount[]> {
    const counts = new Map<string, number>();
    await this.#each(
      () => this.#data.linksOf(accountId),
      null,
      ({ tags, deletedAt }) => {
        if (deletedAt === null) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
        return true;
      },
    );
    return mostUsedTags(counts, limit);
  }

  /** See `Administration.listAllLinks`. A position is the time of creation and the id of a link. */
  async allLinks(query: AllLinksQuery): Promise<AllLinksPage> {
    const { accountId, limit } = query;
    const passes = linkFilter(query);
    const order = () => (accountId === null ? this.#data.allLinks : this.#data.linksOf(accountId));
    const links = await this.#find(
      order,
      parsePosition(query.after),
      limit + 1,
      (link) => !this.#data.isDeleted(link.accountId) && passes(link),
    );
    const { next, ...page } = toPage(links.map(toPlace), limit);
    return { ...page, next: next && formatPosition(next) };
  }

  /** All links that pass. */
  find(passes: (link: Link) => boolean): Promise<Link[]> {
    return this.#find(() => this.#data.allLinks, null, Number.POSITIVE_INFINITY, passes);
  }

  /** See `Administration.listAccounts`. A position is the id of an account. */
  async accounts({ limit, after, search }: AccountQuery): Promise<AccountPage> {
    const { accountList } = this.#data;
    const wanted = foldSearched(search ?? '');
    let index = after === null ? accountList.length : this.#data.indexOfAccount(after);
    if (index === undefined) throw new InvalidPositionError();
    const accounts: Account[] = [];
    await this.#slices.next();
    while (index-- > 0) {
      if (index % AT_ONCE === 0 && this.#slices.isOver) await this.#slices.next();
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

  async #find(
    order: () => LinkOrder | undefined,
    after: LinkPosition | null,
    limit: number,
    passes: (link: Link) => boolean,
  ): Promise<Link[]> {
    const found: Link[] = [];
    await this.#each(order, after, (link) => !passes(link) || found.push(link) < limit);
    return found;
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
    let isComplete = false;
    while (!isComplete) {
      await this.#slices.next();
      isComplete = true;
      let seen = 0;
      for (const link of order()?.newestFirst(position) ?? []) {
        if (!look(link)) return;
        if (++seen % AT_ONCE > 0 || !this.#slices.isOver) continue;
        position = link;
        isComplete = false;
        break;
      }
    }
  }
}

/** How many links there are without any other condition. */
function knownCount(
  { isDeleted, ...others }: LinkQuery,
  order: LinkOrder | undefined,
): number | undefined {
  if (predicatesOf(others).length > 0) return undefined;
  const { count, deletedCount } = order ?? { count: 0, deletedCount: 0 };
  if (isDeleted === undefined) return count;
  return isDeleted ? deletedCount : count - deletedCount;
}
