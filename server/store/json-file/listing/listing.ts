import { LruMap } from 'toad-cache';
import type { Link, LinkPage, LinkPosition, LinkQuery } from '../../link.ts';
import type { AccountTable } from '../memory/account-table.ts';
import { Column } from '../memory/column.ts';
import type { LinkTable } from '../memory/link-table.ts';
import { LinkFilter } from './link-filter.ts';
import { LinkOrder } from './link-order.ts';
import { accountIdIn, positionIn } from './record-text.ts';
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
  /**
   * Numbers of links that an account got from another one, and that may have left it since. They stay in
   * the other account's chain.
   */
  readonly #movedIn = new Map<string, Set<number>>();

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

  /** To be called before the link's record is rewritten with its new account. */
  linkMoved(number: number, link: OwnedPosition, from: string): void {
    const { accountId: to } = link;
    const moved = this.#movedIn.get(to);
    if (moved) moved.add(number);
    else this.#movedIn.set(to, new Set([number]));
    // One that is being sorted may have read the link or not, and is sorted again.
    for (const id of [from, to]) if (!this.#listed.get(id)?.isComplete) this.#listed.delete(id);
    this.#listed.get(from)?.order.remove(number, link);
    this.#listed.get(to)?.order.add(number, link);
  }

  /** For a deleted account: one of the links that it got, and that may have left it since. */
  takeMovedLink(accountId: string): number | undefined {
    const numbers = this.#movedIn.get(accountId);
    const [number] = numbers ?? [];
    if (number === undefined) this.#movedIn.delete(accountId);
    else numbers?.delete(number);
    return number;
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
    const moved = this.#movedIn.get(accountId);
    if (newest === undefined && moved === undefined) return undefined;
    const order = new LinkOrder((number) => this.#links.jsonOf(number));
    const numbers = chain(this.#numbersOf(accountId, newest), [...(moved ?? [])]);
    const completed = this.#sort(accountId, numbers, order).then(() => {
      listed.isComplete = true;
    });
    const listed: ListedAccount = { order, isComplete: false, completed };
    this.#listed.set(accountId, listed);
    return listed;
  }

  /** Adds all links of these numbers, usually each after the one before. Later ones are added by `linkAdded`. */
  async #sort(accountId: string, numbers: Iterable<number>, order: LinkOrder): Promise<void> {
    await this.#slices.next();
    for (const number of numbers) {
      const json = this.#links.jsonOf(number);
      if (json !== '' && accountIdIn(json) === accountId) order.add(number, positionIn(json));
      if (this.#slices.isOver) await this.#slices.next();
    }
  }

  /** The account's chain, without links that it got back: those are among the moved ones. */
  *#numbersOf(accountId: string, newest: number | undefined): Generator<number> {
    let number = newest;
    while (number !== undefined) {
      if (!this.#movedIn.get(accountId)?.has(number)) yield number;
      number = this.previousLink(number);
    }
  }
}

function* chain(first: Iterable<number>, second: Iterable<number>): Generator<number> {
  yield* first;
  yield* second;
}
