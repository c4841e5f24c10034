import { hostOfUrl, isWithin } from '../../lib/host-name.ts';
import type { Account } from '../account.ts';
import {
  type AccountPage,
  type AccountQuery,
  type AllLinksPage,
  type AllLinksQuery,
  InvalidPositionError,
} from '../administration.ts';
import type { Link, LinkPage, LinkPosition, LinkQuery } from '../link.ts';
import { foldCase } from '../records/fold-case.ts';
import { linkFilter } from '../records/link-filter.ts';
import type { Data } from './data/data.ts';
import type { LinkOrder } from './data/link-order.ts';
import { TimeSlices } from './time-slices.ts';

/** Looking at the time for each link would take longer than most conditions. */
const AT_ONCE = 64;

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
    const order = () => this.#data.linksOf(query.accountId);
    const links = await this.#find(order, query.after, query.limit + 1, linkFilter(query));
    return { links: links.slice(0, query.limit), hasMore: links.length > query.limit };
  }

  /** See `Administration.listAllLinks`. A position is the time of creation and the id of a link. */
  async allLinks(query: AllLinksQuery): Promise<AllLinksPage> {
    const { host, accountId, limit } = query;
    const passes = linkFilter({ ...query, tag: null });
    const order = () => (accountId === null ? this.#data.allLinks : this.#data.linksOf(accountId));
    const links = await this.#find(order, toPosition(query.after), limit + 1, (link) => {
      const isOfHost = host === null || isTo(host, link.targetUrl);
      return isOfHost && !this.#data.isDeleted(link.accountId) && passes(link);
    });
    const page = links.slice(0, limit);
    const last = page.at(-1);
    const next = links.length > limit && last ? `${last.created} ${last.id}` : null;
    return { links: page, next };
  }

  /** All links that pass. */
  find(passes: (link: Link) => boolean): Promise<Link[]> {
    return this.#find(() => this.#data.allLinks, null, Number.POSITIVE_INFINITY, passes);
  }

  /** See `Administration.listAccounts`. A position is the id of an account. */
  async accounts({ limit, after, search }: AccountQuery): Promise<AccountPage> {
    const { accountList } = this.#data;
    const wanted = foldCase(search ?? '');
    let index = after === null ? accountList.length : this.#data.indexOfAccount(after);
    if (index === undefined) throw new InvalidPositionError();
    const accounts: Account[] = [];
    await this.#slices.next();
    while (index-- > 0) {
      if (index % AT_ONCE === 0 && this.#slices.isOver) await this.#slices.next();
      const account = accountList[index]?.account;
      if (!account || ![account.id, account.name].some((text) => foldCase(text).includes(wanted))) {
        continue;
      }
      if (accounts.length === limit) return { accounts, next: accounts.at(-1)?.id ?? null };
      accounts.push(account);
    }
    return { accounts, next: null };
  }

  /** @param order read again after each pause, because it can change */
  async #find(
    order: () => LinkOrder | undefined,
    after: LinkPosition | null,
    limit: number,
    passes: (link: Link) => boolean,
  ): Promise<Link[]> {
    const found: Link[] = [];
    let position = after;
    let isComplete = false;
    while (!isComplete) {
      await this.#slices.next();
      isComplete = true;
      let seen = 0;
      for (const link of order()?.newestFirst(position) ?? []) {
        if (passes(link) && found.push(link) === limit) return found;
        if (++seen % AT_ONCE > 0 || !this.#slices.isOver) continue;
        position = link;
        isComplete = false;
        break;
      }
    }
    return found;
  }
}

/** A look into the text is faster than taking it apart. An IPv6 address may hold the host, an IPv4 address. */
function isTo(host: string, targetUrl: string): boolean {
  const mayBe = targetUrl.includes(host) || targetUrl.includes('://[');
  return mayBe && isWithin(hostOfUrl(targetUrl), host);
}

/** @throws InvalidPositionError if it is of another list */
function toPosition(after: string | null): LinkPosition | null {
  if (after === null) return null;
  const [, created, id] = /^(-?\d{1,16}) (\S+)$/.exec(after) ?? [];
  if (created === undefined || id === undefined) throw new InvalidPositionError();
  return { created: Number(created), id };
}
