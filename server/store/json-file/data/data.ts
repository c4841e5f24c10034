import type { Account, LinkCounts, Token, TokenOwner } from '../../account.ts';
import type { StoredDomain } from '../../domains.ts';
import type { Link } from '../../link.ts';
import { firstTokenOf, type StoredToken } from '../../records/account-json.ts';
import { BlockTable } from '../../records/block-table.ts';
import { newMonths } from '../../records/month.ts';
import {
  type HistoryRecord,
  type RecordValues,
  type StoreRecord,
  splitKey,
} from '../../records.ts';
import type { LinkReports, ReportedLink } from '../../reports.ts';
import { type AliasHolder, aliasesOf, isLink } from '../../rules/aliases.ts';
import type { View, ViewedKind } from '../../rules/view.ts';
import type { LinkVisits } from '../../statistics/link-visits.ts';
import type { UnsavedLine } from '../files/change-line.ts';
import { AccountEntry } from './account-entry.ts';
import { KeyTable } from './key-table.ts';
import { LinkOrder } from './link-order.ts';
import { StoredStatistics } from './stored-statistics.ts';
import { TokenTable } from './token-table.ts';

/** Removing so many takes less than a millisecond. */
const ERASED_TOGETHER = 200;

/** What lowdb's `Low` holds: everything that is on disk. */
export class Data implements View {
  /** Lines that are not on disk yet. The adapter takes them when it writes. */
  unsaved: UnsavedLine[] = [];
  /** Of all accounts. */
  readonly allLinks = new LinkOrder();
  readonly blocks = new BlockTable();
  readonly domains = new Map<string, StoredDomain>();
  readonly statistics = new StoredStatistics((kind, id) =>
    kind === 'link' ? this.link(id) !== undefined : this.#accounts.has(id),
  );
  readonly tokenTable = new TokenTable();
  readonly monthOf = newMonths();
  readonly #links = new Map<string, Link>();
  /** By alias in lower case. */
  readonly #holders = new Map<string, AliasHolder>();
  readonly #accounts = new Map<string, AccountEntry>();
  /** In the order in which they were added. Deleted ones and those that only links name have no account. */
  readonly accountList: AccountEntry[] = [];
  readonly #identities = new Map<string, Account>();
  readonly #keys = new KeyTable((id) => this.link(id));
  readonly #useBesides = new Map<string, number>();
  readonly #days = new Map<string, RecordValues['day']>();
  /** By the id of the link. */
  readonly #reports = new Map<string, LinkReports>();
  /** Accounts that were deleted since the store was opened, with their index in the list. */
  readonly #deleted = new Map<string, number>();
  /** Those whose links are not removed yet. Nobody can see these links any more. */
  readonly #toErase: AccountEntry[] = [];
  readonly #clock: () => number;

  /** @param clock milliseconds since the epoch */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  apply([kind, key, value]: StoreRecord | HistoryRecord): void {
    switch (kind) {
      case 'link':
        if (value) this.#setLink(value);
        else this.#removeLink(key);
        break;
      case 'hits':
        this.#setHits(key, value ?? 0);
        break;
      case 'account':
        if (value) this.#setAccount(value);
        else this.#deleteAccount(key);
        break;
      case 'token':
        if (value) this.tokenTable.set(value);
        else this.tokenTable.delete(key);
        break;
      case 'used':
        this.tokenTable.setUse(key, value);
        break;
      case 'alias':
        this.#holders.set(key, value ?? { accountId: '' });
        break;
      case 'key':
        this.#keys.set(key, value);
        break;
      case 'use':
        setOrDelete(this.#useBesides, key, value);
        break;
      case 'day':
        setOrDelete(this.#days, key, value);
        break;
      case 'block':
        this.blocks.set(key, value);
        break;
      case 'domain':
        setOrDelete(this.domains, key, value);
        break;
      case 'report':
        setOrDelete(this.#reports, key, value);
        break;
      case 'history':
        this.statistics.load(key, value);
        break;
    }
  }

  addVisits(visits: Iterable<LinkVisits>): void {
    this.statistics.add(visits);
  }

  get<Kind extends ViewedKind>(kind: Kind, key: string): RecordValues[Kind] | undefined {
    return this.#get(kind, key) as RecordValues[Kind] | undefined;
  }

  link(id: string): Link | undefined {
    const link = this.#links.get(id);
    return link && this.isDeleted(link.accountId) ? undefined : link;
  }

  /** The link with this alias, in whatever letter case. */
  findLink(alias: string): Link | undefined {
    const holder = this.#holders.get(alias.toLowerCase());
    return isLink(holder) && !this.isDeleted(holder.accountId) ? holder : undefined;
  }

  holder(alias: string): AliasHolder | undefined {
    const holder = this.#holders.get(alias);
    // Links of deleted accounts are removed a little later.
    return holder && this.isDeleted(holder.accountId) ? { accountId: '' } : holder;
  }

  /** All that anybody has or has had, in lower case. */
  *aliases(): Generator<string> {
    for (const [alias] of this.#holders.entries()) yield alias;
  }

  account(id: string): Account | undefined {
    return this.#accounts.get(id)?.account;
  }

  /** In `accountList`, also of a deleted account. */
  indexOfAccount(id: string): number | undefined {
    return this.#accounts.get(id)?.index ?? this.#deleted.get(id);
  }

  accountByIdentity(identityHash: string): Account | undefined {
    return this.#identities.get(identityHash);
  }

  /** Whether people have signed in. Their accounts are found by the data folder's secret only. */
  get hasIdentities(): boolean {
    return this.#identities.size > 0;
  }

  isDeleted(accountId: string): boolean {
    return this.#deleted.size > 0 && this.#deleted.has(accountId);
  }

  findToken(tokenHash: string): TokenOwner | undefined {
    const token = this.token(tokenHash);
    const account = token && this.account(token.accountId);
    return account && { account, token: this.tokenTable.withLastUse(token) };
  }

  token(tokenHash: string): StoredToken | undefined {
    return this.tokenTable.get(tokenHash);
  }

  tokens(accountId: string): readonly StoredToken[] {
    return this.tokenTable.ofAccount(accountId);
  }

  listTokens(accountId: string): Token[] {
    return this.tokens(accountId).map((token) => this.tokenTable.withLastUse(token));
  }

  linksOf(accountId: string): LinkOrder | undefined {
    return this.#accounts.get(accountId)?.links;
  }

  counts(accountId: string, time: number): LinkCounts {
    const entry = this.#accounts.get(accountId);
    return entry?.counts(this.monthOf(time)) ?? { month: 0, total: 0, imported: 0 };
  }

  /** Whether a link of the account was imported from the row of this key. */
  hasImportKey(accountId: string, importKey: string): boolean {
    return this.#accounts.get(accountId)?.hasImportKey(importKey) ?? false;
  }

  /** Of links that exist. */
  *reportedLinks(): Generator<ReportedLink> {
    for (const [linkId, reports] of this.#reports) {
      if (this.link(linkId)) yield { linkId, ...reports };
    }
  }

  /** Removes idempotency keys that nobody can ask for any more. @param max at most so many */
  deleteExpiredKeys(max: number): void {
    this.#keys.deleteExpired(this.#clock(), max);
  }

  /** Removes some links of deleted accounts. @returns whether any are left */
  eraseSomeLinks(): boolean {
    const entry = this.#toErase[0];
    if (!entry) return false;
    for (const link of entry.links.newest(ERASED_TOGETHER)) {
      entry.links.remove(link);
      this.#eraseLink(link);
      for (const alias of aliasesOf(link)) this.#holders.set(alias, { accountId: '' });
    }
    if (entry.links.count === 0) this.#toErase.shift();
    return this.#toErase.length > 0;
  }

  /**
   * Everything, apart from what has expired. If something changes meanwhile, what was read before is as it
   * was, and what is read afterwards is as it is.
   */
  *records(): Generator<StoreRecord> {
    const now = this.#clock();
    for (const { account } of this.accountList) if (account) yield ['account', account.id, account];
    yield* this.tokenTable.records();
    for (const [id, link] of this.#links) {
      if (!this.isDeleted(link.accountId)) yield ['link', id, link];
    }
    for (const [alias, holder] of this.#holders) {
      if (this.isDeleted(holder.accountId)) yield ['alias', alias, { accountId: '' }];
      else if (!isLink(holder)) yield ['alias', alias, holder];
    }
    yield* this.#keys.records(now);
    const { number: month } = this.monthOf(now);
    for (const [key, count] of this.#useBesides) {
      const [, period] = splitKey(key);
      // No quota is checked for earlier months any more, even if a clock is a little wrong.
      if (period === 'imports' || Number(period) >= month - 1) yield ['use', key, count];
    }
    for (const [name, day] of this.#days) yield ['day', name, day];
    for (const block of this.blocks.records()) if (this.#canBlock(block[1])) yield block;
    for (const [host, domain] of this.domains) yield ['domain', host, domain];
    for (const { linkId, ...reports } of this.reportedLinks()) yield ['report', linkId, reports];
  }

  #get(kind: ViewedKind, key: string): RecordValues[ViewedKind] | undefined {
    switch (kind) {
      case 'link':
        return this.link(key);
      case 'account':
        return this.account(key);
      case 'token':
        return this.token(key);
      case 'key':
        return this.#keys.get(key);
      case 'use':
        return this.#useBesides.get(key);
      case 'day':
        return this.#days.get(key);
      case 'block':
        return this.blocks.get(key);
      case 'domain':
        return this.domains.get(key);
      case 'report':
        return this.#reports.get(key);
    }
  }

  #setLink(link: Link): void {
    const before = this.#links.get(link.id);
    const entry = this.#entryOf(link.accountId);
    // One text for all links of an account.
    link.accountId = entry.id;
    if (before) {
      // Those that were counted since the change was decided.
      link.hits = Math.max(before.hits, link.hits);
      this.#releaseAliases(before);
      this.allLinks.replace(link);
    } else {
      this.allLinks.add(link);
    }
    if (before?.accountId === link.accountId) {
      entry.links.replace(link);
    } else {
      if (before) this.#accounts.get(before.accountId)?.removeLink(before);
      entry.addLink(link);
    }
    this.#links.set(link.id, link);
    for (const alias of aliasesOf(link)) this.#holders.set(alias, link);
  }

  #removeLink(id: string): void {
    const link = this.#links.get(id);
    if (!link) return;
    this.#accounts.get(link.accountId)?.removeLink(link);
    this.#eraseLink(link);
  }

  #eraseLink(link: Link): void {
    this.#links.delete(link.id);
    this.allLinks.remove(link);
    this.#releaseAliases(link);
    this.blocks.delete({ kind: 'link', value: link.id });
    this.#reports.delete(link.id);
    this.statistics.erase({ linkId: link.id });
  }

  #releaseAliases(link: Link): void {
    for (const alias of aliasesOf(link)) {
      if (this.#holders.get(alias) === link) this.#holders.delete(alias);
    }
  }

  #setHits(linkId: string, hits: number): void {
    const link = this.#links.get(linkId);
    if (link) link.hits = Math.max(link.hits, hits);
  }

  #setAccount(account: Account): void {
    const entry = this.#entryOf(account.id);
    const before = entry.account;
    if (before && before.tokenHash !== account.tokenHash) this.tokenTable.delete(before.tokenHash);
    entry.account = account;
    if (account.identityHash) this.#identities.set(account.identityHash, account);
    const first = firstTokenOf(account);
    if (first) this.tokenTable.set(first);
  }

  /** Its links are removed later, since there can be many. */
  #deleteAccount(id: string): void {
    const entry = this.#accounts.get(id);
    this.#deleted.set(id, entry?.index ?? this.accountList.length);
    if (!entry) return;
    for (const { tokenHash } of this.tokens(id)) this.tokenTable.delete(tokenHash);
    this.#identities.delete(entry.account?.identityHash ?? '');
    entry.account = undefined;
    this.#accounts.delete(id);
    for (const key of this.#useBesides.keys()) {
      if (splitKey(key)[0] === id) this.#useBesides.delete(key);
    }
    for (const linkId of this.blocks.link.keys()) {
      if (this.#links.get(linkId)?.accountId === id)
        this.blocks.delete({ kind: 'link', value: linkId });
    }
    this.blocks.delete({ kind: 'account', value: id });
    this.statistics.erase({ accountId: id });
    if (entry.links.count > 0) this.#toErase.push(entry);
  }

  #canBlock(key: string): boolean {
    const [kind, value] = splitKey(key);
    if (kind === 'link') return this.link(value) !== undefined;
    return kind === 'host' || this.account(value) !== undefined;
  }

  #entryOf(accountId: string): AccountEntry {
    let entry = this.#accounts.get(accountId);
    if (!entry) {
      const month = this.monthOf(this.#clock());
      entry = new AccountEntry(accountId, this.accountList.length, month);
      this.#accounts.set(accountId, entry);
      this.accountList.push(entry);
    }
    return entry;
  }
}

function setOrDelete<T>(map: Map<string, T>, key: string, value: T | null): void {
  if (value === null) map.delete(key);
  else map.set(key, value);
}
