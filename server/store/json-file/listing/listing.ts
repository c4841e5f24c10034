import { LruMap } from 'toad-cache';
import type { Link, LinkPage, LinkPosition, LinkQuery } from '../../link.ts';
import type { AccountTable } from '../memory/account-table.ts';
import { Column } from '../memory/column.ts';
import type { LinkTable } from '../memory/link-table.ts';
import { LinkFilter } from './link-filter.ts';
import { LinkOrder } from './link-order.ts';
import { positionIn } from './record-text.ts';
import { TimeSlices } from './time-slices.ts';

/** Accounts that are listed often are not sorted anew. */
const MAX_ACCOUNTS = 1000;

type ListedAccount = { order: LinkOrder; isComplete: boolean; completed: Promise<void> };
type OwnedPosition = LinkPosition & Pick<Link, 'accountId'>;

/**
 * Lists the links of accounts. An account that is not listed costs 4 bytes per link: a chain from each
 * link to the account's previous one. The first list follows the chain to sort the links. From then on,
 * changes keep the order up to date.
 */
export class Listing {
  readonly #links: LinkTable;
  readonly #accounts: AccountTable;
  readonly #slices: TimeSlices;
  /** The number of the same account's previous link plus one; 0 for its first link. */
  readonly #previous = new Column(Uint32Array);
  readonly #listed = new LruMap<ListedAccount>(MAX_ACCOUNTS);

  constructor(links: LinkTable, accounts: AccountTable, slices = new TimeSlices()) {
    this.#links = links;
    this.#accounts = accounts;
    this.#slices = slices;
  }

  /** To be called for each link once it is in the tables. */
  linkAdded(number: number, link: OwnedPosition): void {
    const previous = this.#accounts.replaceNewestLink(link.accountId, number);
    if (previous !== undefined) this.#previous.set(number, 0, previous + 1);
    // Opening adds a million links before the first list.
    if (this.#listed.size > 0) this.#listed.get(link.accountId)?.order.add(number, link);
  }

  /** The number of the same account's previous link, which may be erased. */
  previousLink(number: number): number | undefined {
    const previous = this.#previous.get(number);
    return previous === 0 ? undefined : previous - 1;
  }

  /** To be called when texts of the link have changed. */
  linkEdited(number: number, link: OwnedPosition): void {
    this.#listed.get(link.accountId)?.order.forgetSignature(number, link);
  }

  /** To be called before the link's record is erased; its number stays in the chain. */
  linkPurged(number: number, link: OwnedPosition): void {
    this.#listed.get(link.accountId)?.order.remove(number, link);
  }

  /** To be called when the account is deleted; its links can be erased later. */
  accountDeleted(accountId: string): void {
    this.#accounts.replaceNewestLink(accountId, undefined);
    this.#listed.delete(accountId);
  }

  /** @see Store.listLinks */
  async page(query: LinkQuery): Promise<LinkPage> {
    const { accountId, limit } = query;
    const filter = new LinkFilter(query);
    const links: Link[] = [];
    let hasMore = false;
    const visit = (number: number, json: string): boolean => {
      if (!filter.mayPass(json)) return true;
      const link = this.#links.read(number);
      if (!filter.passes(link)) return true;
      hasMore = links.length === limit;
      if (!hasMore) links.push(link);
      return !hasMore;
    };
    const { key } = filter;
    const mustPause = () => this.#slices.isOver;
    let after = query.after;
    do {
      const order = await this.#nextSlice(accountId);
      after = order?.scan({ after, key, visit, mustPause }) ?? null;
    } while (after);
    return { links, hasMore };
  }

  /** @returns the complete order at the start of a time slice; undefined if the account has no links */
  async #nextSlice(accountId: string): Promise<LinkOrder | undefined> {
    for (;;) {
      const listed = this.#listed.get(accountId) ?? this.#startSorting(accountId);
      if (!listed) return undefined;
      if (!listed.isComplete) await listed.completed;
      await this.#slices.next();
      // Otherwise it was removed meanwhile, so it has missed changes.
      if (this.#listed.get(accountId) === listed) return listed.order;
    }
  }

  #startSorting(accountId: string): ListedAccount | undefined {
    const newest = this.#accounts.newestLink(accountId);
    if (newest === undefined) return undefined;
    const order = new LinkOrder((number) => this.#links.jsonOf(number));
    const completed = this.#sort(newest, order).then(() => {
      listed.isComplete = true;
    });
    const listed: ListedAccount = { order, isComplete: false, completed };
    this.#listed.set(accountId, listed);
    return listed;
  }

  /** Adds all links of the chain, usually each after the one before. Later links are added by `linkAdded`. */
  async #sort(newest: number, order: LinkOrder): Promise<void> {
    let next = newest + 1;
    while (next > 0) {
      await this.#slices.next();
      do {
        const number = next - 1;
        const json = this.#links.jsonOf(number);
        if (json !== '') order.add(number, positionIn(json));
        next = this.#previous.get(number);
      } while (next > 0 && !this.#slices.isOver);
    }
  }
}
