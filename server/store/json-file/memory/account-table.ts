import { FifoMap } from 'toad-cache';
import type { Account, LinkCounts } from '../../account.ts';
import { Column } from './column.ts';
import { KeyIndex } from './key-index.ts';
import { RecordArena } from './record-arena.ts';

/** Accounts that are in use are not read anew for each call. */
const MAX_CACHED = 1000;
/** The columns of an account's counts. */
const [TOTAL, LATEST_MONTH, IN_LATEST] = [0, 1, 2];

/** All accounts and their numbers of links; about 190 bytes per account. */
export class AccountTable {
  readonly #records = new RecordArena();
  readonly #byId = new KeyIndex();
  readonly #byToken = new KeyIndex();
  /** For each account: all links, the month of its newest link, and the links in that month. */
  readonly #counts = new Column(Uint32Array, 3);
  /** For each account: the number of the link that was added last plus one; 0 if it has none. */
  readonly #newestLinks = new Column(Uint32Array);
  /** Links in earlier months; most accounts have none. */
  readonly #earlier = new Map<string, number>();
  readonly #months = new Months();
  /** By number. */
  readonly #cache = new FifoMap<Account>(MAX_CACHED);
  /** Several links in a row are often from the same account. */
  #latest = { id: '', number: -1 };

  add({ id, tokenHash, name, created }: Account): void {
    const isCounted = this.#find(id) !== undefined;
    const number = this.#records.add(JSON.stringify({ id, tokenHash, name, created }));
    this.#byToken.add(tokenHash, number);
    if (isCounted) return;
    this.#byId.add(id, number);
    // Its first link is added next.
    this.#latest = { id, number };
  }

  find(tokenHash: string): Account | undefined {
    return this.#byToken.find(tokenHash, (number) => {
      const account = this.#read(number);
      return account.tokenHash === tokenHash ? account : undefined;
    });
  }

  #read(number: number): Account {
    const cached = this.#cache.get(number);
    if (cached) return cached;
    const account = this.#records.read<Account>(number);
    this.#cache.set(number, account);
    return account;
  }

  /** @returns how many links the account has made in that month, with this one */
  countLink(accountId: string, created: number): number {
    const number = this.#numberOf(accountId);
    const counts = this.#counts;
    const month = this.#months.numberOf(created);
    counts.add(number, TOTAL, 1);
    const latest = counts.get(number, LATEST_MONTH);
    if (month < latest) return this.#countEarlier(number, month, 1);
    if (month > latest) {
      if (latest > 0) this.#countEarlier(number, latest, counts.get(number, IN_LATEST));
      counts.set(number, LATEST_MONTH, month);
      counts.set(number, IN_LATEST, 0);
    }
    counts.add(number, IN_LATEST, 1);
    return counts.get(number, IN_LATEST);
  }

  links(accountId: string, time: number): LinkCounts {
    const number = this.#find(accountId);
    if (number === undefined) return { month: 0, total: 0, imported: 0 };
    const counts = this.#counts;
    const asked = this.#months.numberOf(time);
    return {
      month:
        asked === counts.get(number, LATEST_MONTH)
          ? counts.get(number, IN_LATEST)
          : (this.#earlier.get(`${number} ${asked}`) ?? 0),
      total: counts.get(number, TOTAL),
      imported: 0,
    };
  }

  /** The number of the link that was added last. */
  newestLink(accountId: string): number | undefined {
    const account = this.#find(accountId);
    return account === undefined ? undefined : toNumber(this.#newestLinks.get(account));
  }

  /** @returns the previous one */
  replaceNewestLink(accountId: string, link: number | undefined): number | undefined {
    const account = this.#numberOf(accountId);
    const previous = this.#newestLinks.get(account);
    this.#newestLinks.set(account, 0, link === undefined ? 0 : link + 1);
    return toNumber(previous);
  }

  #countEarlier(number: number, month: number, more: number): number {
    const key = `${number} ${month}`;
    const links = (this.#earlier.get(key) ?? 0) + more;
    this.#earlier.set(key, links);
    return links;
  }

  #find(id: string): number | undefined {
    if (id === this.#latest.id) return this.#latest.number;
    const beginning = `{"id":${JSON.stringify(id)}`;
    const number = this.#byId.find(id, (candidate) =>
      this.#records.beginsWith(candidate, beginning) ? candidate : undefined,
    );
    if (number !== undefined) this.#latest = { id, number };
    return number;
  }

  /** Adds an account without a token for links whose account is unknown. */
  #numberOf(id: string): number {
    const known = this.#find(id);
    if (known !== undefined) return known;
    const number = this.#records.add(JSON.stringify({ id }));
    this.#byId.add(id, number);
    return number;
  }
}

function toNumber(stored: number): number | undefined {
  return stored === 0 ? undefined : stored - 1;
}

/** Converts times to month numbers. Caches the month, because creating a `Date` is slow. */
class Months {
  #from = 0;
  #to = 0;
  #number = 0;

  numberOf(time: number): number {
    if (time < this.#from || time >= this.#to) {
      const date = new Date(time);
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
      this.#from = Date.UTC(year, month);
      this.#to = Date.UTC(year, month + 1);
      this.#number = 12 * year + month + 1;
    }
    return this.#number;
  }
}
