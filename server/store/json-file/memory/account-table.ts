import { FifoMap } from 'toad-cache';
import type { Account, LinkCounts, Token } from '../../account.ts';
import {
  type AccountEditJson,
  type AccountJson,
  applyEdit,
  firstTokenOf,
  fromAccountJson,
  toAccountJson,
} from '../../records/account-json.ts';
import { monthNumber } from '../../records/month-number.ts';
import type { QuotaUseJson } from '../../records/quota-use.ts';
import { Column } from './column.ts';
import { KeyIndex } from './key-index.ts';
import { RecordArena } from './record-arena.ts';

/** Accounts that are in use are not read anew for each call. */
const MAX_CACHED = 1000;
/** The columns of an account's counts. */
const [TOTAL, LATEST_MONTH, IN_LATEST, IMPORTED, USED_ON] = [0, 1, 2, 3, 4];

/** What counts of a link. */
export type CountedLink = { accountId: string; created: number; importKey?: string | null };

/** All accounts, their first tokens and their numbers of links; about 200 bytes per account. */
export class AccountTable {
  readonly #records = new RecordArena();
  readonly #byId = new KeyIndex();
  readonly #byToken = new KeyIndex();
  readonly #byIdentity = new KeyIndex();
  /**
   * For each account: all links, the latest month in which something counts, what counts in that month,
   * what counts of imports, and the day of the first token's last use.
   */
  readonly #counts = new Column(Uint32Array, 5);
  /** For each account: the number of the link that was added last plus one; 0 if it has none. */
  readonly #newestLinks = new Column(Uint32Array);
  /** What counts in earlier months; most accounts have none. */
  readonly #earlier = new Map<string, number>();
  readonly #months = new Months();
  /** By number. */
  readonly #cache = new FifoMap<Account>(MAX_CACHED);
  /** Numbers of deleted accounts. Their ids stay, so that no call that is late adds to them. */
  readonly #deleted = new Set<number>();
  /** Several links in a row are often from the same account. */
  #latest = { id: '', number: -1 };

  add({ usedOn = 0, ...account }: AccountJson): void {
    let number = this.#find(account.id);
    if (number === undefined) {
      number = this.#addRecord(account);
    } else {
      const { tokenHash, identityHash } = this.#read(number);
      if (tokenHash) this.#byToken.remove(tokenHash, number);
      if (identityHash) this.#byIdentity.remove(identityHash, number);
      this.#rewrite(number, account);
    }
    if (account.tokenHash) this.#byToken.add(account.tokenHash, number);
    if (account.identityHash) this.#byIdentity.add(account.identityHash, number);
    if (usedOn > 0) this.#counts.set(number, USED_ON, usedOn);
  }

  /** Applies an administrator's edit. */
  edit(edit: AccountEditJson): void {
    const number = this.#find(edit.id);
    if (number === undefined || this.#deleted.has(number)) return;
    this.#rewrite(number, applyEdit(this.#records.read<AccountJson>(number), edit));
  }

  /** The next account's number: deleted ones count, too. */
  get count(): number {
    return this.#records.count;
  }

  numberOf(id: string): number | undefined {
    return this.#find(id);
  }

  /** Undefined if it was deleted, or if only links name it. */
  byNumber(number: number): Account | undefined {
    if (this.#deleted.has(number)) return undefined;
    const account = fromAccountJson(this.#records.read<AccountJson>(number));
    return account.created === undefined ? undefined : account;
  }

  /** The JSON of an account, without parsing it. */
  jsonOf(number: number): string {
    return this.#records.text(number);
  }

  has(id: string): boolean {
    const number = this.#find(id);
    return number !== undefined && !this.#deleted.has(number);
  }

  isDeleted(id: string): boolean {
    if (this.#deleted.size === 0) return false;
    const number = this.#find(id);
    return number !== undefined && this.#deleted.has(number);
  }

  /** The account with this first token. */
  find(tokenHash: string): Account | undefined {
    return this.#byToken.find(tokenHash, (number) => {
      const account = this.#read(number);
      return account.tokenHash === tokenHash ? account : undefined;
    });
  }

  findByIdentity(identityHash: string): Account | undefined {
    return this.#byIdentity.find(identityHash, (number) => {
      const account = this.#read(number);
      return account.identityHash === identityHash ? account : undefined;
    });
  }

  /** Whether people have signed in. Their accounts are found by the data folder's secret only. */
  get hasIdentities(): boolean {
    return !this.#byIdentity.isEmpty;
  }

  get(id: string): Account | undefined {
    const number = this.#find(id);
    return number === undefined || this.#deleted.has(number) ? undefined : this.#read(number);
  }

  /** Undefined if it was revoked. */
  firstToken(account: Account): Token | undefined {
    const number = this.#find(account.id) ?? -1;
    return firstTokenOf(account, this.#counts.get(number, USED_ON));
  }

  /** @returns whether that is later than before; false for an unknown account */
  useFirstToken(id: string, day: number): boolean {
    const number = this.#find(id);
    if (number === undefined || this.#counts.get(number, USED_ON) >= day) return false;
    this.#counts.set(number, USED_ON, day);
    return true;
  }

  revokeFirstToken(id: string): void {
    const number = this.#find(id);
    if (number === undefined) return;
    const account = this.#read(number);
    this.#byToken.remove(account.tokenHash, number);
    this.#rewrite(number, toAccountJson({ ...account, tokenHash: '' }));
  }

  /** Erases everything but the id. */
  delete(id: string): void {
    const number = this.#find(id);
    if (number === undefined) return;
    this.revokeFirstToken(id);
    const { identityHash } = this.#read(number);
    if (identityHash) this.#byIdentity.remove(identityHash, number);
    this.#rewrite(number, { id });
    this.#deleted.add(number);
    for (const column of [TOTAL, LATEST_MONTH, IN_LATEST, IMPORTED, USED_ON]) {
      this.#counts.set(number, column, 0);
    }
  }

  /** @returns what counts in that month, with this link */
  countLink({ accountId, created, importKey }: CountedLink): number {
    const number = this.#numberOf(accountId);
    this.#counts.add(number, TOTAL, 1);
    if (typeof importKey !== 'string') {
      return this.#countInMonth(number, this.#months.numberOf(created), 1);
    }
    this.#counts.add(number, IMPORTED, 1);
    return this.#inMonth(number, this.#months.numberOf(created));
  }

  /** A purged link still counts against its quota. */
  uncountLink({ accountId }: Pick<CountedLink, 'accountId'>): void {
    const number = this.#find(accountId);
    if (number === undefined || this.#deleted.has(number)) return;
    this.#counts.add(number, TOTAL, -1);
  }

  /** A link got another account, where it counts in its month from now on. */
  moveLink(link: CountedLink, to: string): void {
    const from = this.#find(link.accountId);
    if (from !== undefined && !this.#deleted.has(from)) {
      this.uncountLink(link);
      if (typeof link.importKey === 'string') this.#counts.add(from, IMPORTED, -1);
      else this.#countInMonth(from, this.#months.numberOf(link.created), -1);
    }
    this.countLink({ ...link, accountId: to });
  }

  /** What counts besides the account's links. */
  countUse({ accountId, month, count }: QuotaUseJson): void {
    const number = this.#numberOf(accountId);
    if (month === undefined) this.#counts.add(number, IMPORTED, count);
    else this.#countInMonth(number, month, count);
  }

  links(accountId: string, time: number): LinkCounts {
    const number = this.#find(accountId);
    if (number === undefined) return { month: 0, total: 0, imported: 0 };
    return {
      month: this.#inMonth(number, this.#months.numberOf(time)),
      total: this.#counts.get(number, TOTAL),
      imported: this.#counts.get(number, IMPORTED),
    };
  }

  #inMonth(number: number, month: number): number {
    return month === this.#counts.get(number, LATEST_MONTH)
      ? this.#counts.get(number, IN_LATEST)
      : (this.#earlier.get(`${number} ${month}`) ?? 0);
  }

  #countInMonth(number: number, month: number, more: number): number {
    const counts = this.#counts;
    const latest = counts.get(number, LATEST_MONTH);
    if (month < latest) return this.#countEarlier(number, month, more);
    if (month > latest) {
      if (latest > 0) this.#countEarlier(number, latest, counts.get(number, IN_LATEST));
      counts.set(number, LATEST_MONTH, month);
      counts.set(number, IN_LATEST, 0);
    }
    counts.add(number, IN_LATEST, more);
    return counts.get(number, IN_LATEST);
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

  #read(number: number): Account {
    const cached = this.#cache.get(number);
    if (cached) return cached;
    const account = fromAccountJson(this.#records.read<AccountJson>(number));
    this.#cache.set(number, account);
    return account;
  }

  #rewrite(number: number, account: Partial<AccountJson>): void {
    this.#cache.delete(number);
    this.#records.release(this.#records.placeOf(number));
    this.#records.rewrite(number, JSON.stringify(account));
  }

  #addRecord(account: Partial<AccountJson> & { id: string }): number {
    const { id } = account;
    const number = this.#records.add(JSON.stringify(account));
    this.#byId.add(id, number);
    // Its first link is added next.
    this.#latest = { id, number };
    return number;
  }

  #find(id: string): number | undefined {
    // No account has an empty id.
    if (id === '') return undefined;
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
    return this.#find(id) ?? this.#addRecord({ id });
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
      this.#number = monthNumber(time);
    }
    return this.#number;
  }
}
