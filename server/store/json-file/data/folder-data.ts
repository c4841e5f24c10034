import { RESTORABLE_MS } from '../../../../shared/bounds.ts';
import { type Account, TOKEN_HASH_START, type Token, type TokenOwner } from '../../account.ts';
import { isLink, type Link } from '../../link.ts';
import {
  BlockTable,
  type HistoryRecord,
  type RecordValues,
  type StoreRecord,
  splitKey,
} from '../../records.ts';
import type { LinkReports, ReportedLink } from '../../reports.ts';
import { KEY_KEPT_MS } from '../../rules/add-link.ts';
import { type AliasHolder, aliasesOf } from '../../rules/aliases.ts';
import type { FactKind, Facts } from '../../rules/change.ts';
import { isCurrent } from '../../rules/quota.ts';
import { certainTime, openDays } from '../../rules/uptime.ts';
import type { LinkVisits } from '../../statistics/link-visits.ts';
import type { StoredDomain } from '../../stored-domains.ts';
import type { UnsavedLine } from '../files/formats.ts';
import { AccountEntry, LinkOrder } from './account-entry.ts';
import { KeyTable } from './key-table.ts';
import { StoredStatistics } from './stored-statistics.ts';
import type { TagCounts } from './tag-counts.ts';

/** Removing so many takes less than a millisecond. */
const ERASED_TOGETHER = 200;

type AppliedValues = RecordValues & { history: HistoryRecord[2] };
/** Null: it is deleted. */
type Applier<Value> = (key: string, value: Value | null) => unknown;

/** What lowdb's `Low` holds: everything that is on disk. */
export class FolderData implements Facts {
  /** Lines that are not on disk yet. The adapter takes them when it writes. */
  unsaved: UnsavedLine[] = [];
  /** The links of all accounts. */
  readonly allLinks = new LinkOrder();
  readonly blocks = new BlockTable();
  readonly domains = new Map<string, StoredDomain>();
  readonly statistics = new StoredStatistics((kind, id) =>
    kind === 'link' ? this.link(id) !== undefined : this.#accounts.has(id),
  );
  readonly #tokens = new Map<string, Token>();
  /** The hashes of tokens, by their first characters. */
  readonly #tokenHashes = new Map<string, string>();
  readonly #links = new Map<string, Link>();
  /** Links, and accounts of reserved aliases, by alias in lower case. */
  readonly #holders = new Map<string, AliasHolder>();
  readonly #accounts = new Map<string, AccountEntry>();
  /** In the order in which they were added. Deleted ones and those that only links name have no account. */
  readonly accountList: AccountEntry[] = [];
  readonly #identities = new Map<string, Account>();
  readonly #keys = new KeyTable((id) => this.link(id));
  readonly #quotas = new Map<string, number>();
  readonly #days = new Map<string, RecordValues['day']>();
  readonly #uptime = new Map<string, RecordValues['uptime']>();
  /** Reports by the id of the link. */
  readonly #reports = new Map<string, LinkReports>();
  /** Accounts that were deleted since the store was opened, with their index in the list. */
  readonly #deleted = new Map<string, number>();
  /** Those whose links are not removed yet. Nobody can see these links any more. */
  readonly #toErase: AccountEntry[] = [];
  readonly #clock: () => number;

  readonly #appliers: { [Kind in keyof AppliedValues]: Applier<AppliedValues[Kind]> } = {
    link: (id, link) => (link ? this.#setLink(link) : this.#removeLink(id)),
    hits: (linkId, hits) => this.#setHits(linkId, hits ?? 0),
    account: (id, account) => (account ? this.#setAccount(account) : this.#deleteAccount(id)),
    token: (hash, token) => (token ? this.#setToken(token) : this.#deleteToken(hash)),
    alias: (alias, holder) => this.#holders.set(alias, holder ?? { accountId: '' }),
    idempotencyKey: (hash, key) => this.#keys.set(hash, key),
    quota: (quota, used) => setOrDelete(this.#quotas, quota, used),
    day: (name, day) => setOrDelete(this.#days, name, day),
    uptime: (key, days) => setOrDelete(this.#uptime, key, days),
    block: (key, block) => this.blocks.set(key, block),
    domain: (host, domain) => setOrDelete(this.domains, host, domain),
    report: (linkId, reports) => setOrDelete(this.#reports, linkId, reports),
    history: (subject, history) => history && this.statistics.load(subject, history),
  };
  readonly #getters: { [Kind in FactKind]: (key: string) => RecordValues[Kind] | undefined } = {
    link: (id) => this.link(id),
    account: (id) => this.account(id),
    token: (hash) => this.token(hash),
    idempotencyKey: (hash) => this.#keys.get(hash),
    quota: (quota) => (this.isDeleted(splitKey(quota)[0]) ? undefined : this.#quotas.get(quota)),
    day: (name) => this.#days.get(name),
    uptime: (key) => this.#uptime.get(key),
    block: (key) => this.blocks.get(key),
    domain: (host) => this.domains.get(host),
    report: (linkId) => this.#reports.get(linkId),
  };

  /** @param clock milliseconds since the epoch */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  apply([kind, key, value]: StoreRecord | HistoryRecord): void {
    (this.#appliers[kind] as Applier<unknown>)(key, value);
  }

  addVisits(visits: Iterable<LinkVisits>): void {
    this.statistics.add(visits);
  }

  get<Kind extends FactKind>(kind: Kind, key: string): RecordValues[Kind] | undefined {
    return this.#getters[kind](key);
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
  aliases(): Iterable<string> {
    return this.#holders.keys();
  }

  account(id: string): Account | undefined {
    return this.#accounts.get(id)?.account;
  }

  /** Returns the index in `accountList`, also of a deleted account. */
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
    return account && { account, token };
  }

  findTokenHash(start: string): string | undefined {
    return this.#tokenHashes.get(start);
  }

  token(tokenHash: string): Token | undefined {
    return this.#tokens.get(tokenHash);
  }

  tokens(accountId: string): readonly Token[] {
    return this.#accounts.get(accountId)?.tokens ?? [];
  }

  linksOf(accountId: string): LinkOrder | undefined {
    return this.#accounts.get(accountId)?.links;
  }

  /** Whether a link of the account was imported from the row of this key. */
  hasImportKey(accountId: string, importKey: string): boolean {
    return this.#accounts.get(accountId)?.hasImportKey(importKey) ?? false;
  }

  hasTag(accountId: string, folded: string): boolean {
    return this.tagsOf(accountId)?.has(folded) ?? false;
  }

  countTags(accountId: string): number {
    return this.tagsOf(accountId)?.size ?? 0;
  }

  tagsOf(accountId: string): TagCounts | undefined {
    return this.#accounts.get(accountId)?.tags;
  }

  /** Reports of links that exist. */
  *reportedLinks(): Generator<ReportedLink> {
    for (const [linkId, reports] of this.#reports) {
      if (this.link(linkId)) yield { linkId, ...reports };
    }
  }

  /** Removes idempotency keys that nobody can ask for any more, at most `max`. @returns whether there may be more */
  deleteExpiredKeys(max: number): boolean {
    return this.#keys.deleteExpired(this.#clock(), this.#certainTime(KEY_KEPT_MS), max);
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
    for (const { account } of this.accountList) if (account) yield ['account', account.id, account];
    for (const [hash, token] of this.#tokens) yield ['token', hash, token];
    for (const [id, link] of this.#links) {
      if (!this.isDeleted(link.accountId)) yield ['link', id, link];
    }
    for (const [alias, holder] of this.#holders) {
      if (this.isDeleted(holder.accountId)) yield ['alias', alias, { accountId: '' }];
      else if (!isLink(holder)) yield ['alias', alias, holder];
    }
    yield* this.#keys.records(this.#certainTime(KEY_KEPT_MS));
    const now = this.#certainTime(RESTORABLE_MS);
    for (const [quota, used] of this.#quotas) {
      const [accountId] = splitKey(quota);
      if (isCurrent(quota, now) && !this.isDeleted(accountId)) yield ['quota', quota, used];
      else this.#quotas.delete(quota);
    }
    for (const [name, day] of this.#days) yield ['day', name, day];
    for (const [key, days] of this.#uptime) yield ['uptime', key, days];
    yield* this.blocks.records();
    for (const [host, domain] of this.domains) yield ['domain', host, domain];
    for (const { linkId, ...reports } of this.reportedLinks()) yield ['report', linkId, reports];
  }

  #certainTime(keptMs: number): number {
    return certainTime(openDays(this), this.#clock(), keptMs);
  }

  #setLink(link: Link): void {
    const before = this.#links.get(link.id);
    const entry = this.#entryOf(link.accountId);
    // One text for all links of an account.
    link.accountId = entry.id;
    if (before) {
      // Those that were counted since the change was decided.
      link.hits = Math.max(before.hits, link.hits);
      this.allLinks.replace(link);
    } else {
      this.allLinks.add(link);
    }
    if (before?.accountId === link.accountId) {
      entry.replaceLink(before, link);
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
    this.blocks.delete({ kind: 'link', value: link.id });
    this.#reports.delete(link.id);
    this.statistics.erase({ linkId: link.id });
  }

  #setHits(linkId: string, hits: number): void {
    const link = this.#links.get(linkId);
    if (link) link.hits = Math.max(link.hits, hits);
  }

  #setAccount(account: Account): void {
    const entry = this.#entryOf(account.id);
    entry.account = account;
    if (account.identityHash) this.#identities.set(account.identityHash, account);
  }

  #setToken(token: Token): void {
    const entry = this.#entryOf(token.accountId);
    const index = entry.tokens.findIndex(({ tokenHash }) => tokenHash === token.tokenHash);
    entry.tokens = entry.tokens.toSpliced(index === -1 ? entry.tokens.length : index, 1, token);
    this.#tokens.set(token.tokenHash, token);
    this.#tokenHashes.set(token.tokenHash.slice(0, TOKEN_HASH_START), token.tokenHash);
  }

  #deleteToken(tokenHash: string): void {
    const token = this.#tokens.get(tokenHash);
    if (!token) return;
    const entry = this.#entryOf(token.accountId);
    entry.tokens = entry.tokens.filter((each) => each !== token);
    this.#forgetToken(token);
  }

  #forgetToken({ tokenHash }: Token): void {
    this.#tokens.delete(tokenHash);
    this.#tokenHashes.delete(tokenHash.slice(0, TOKEN_HASH_START));
  }

  /** Its links are removed later, since there can be many. */
  #deleteAccount(id: string): void {
    const entry = this.#accounts.get(id);
    this.#deleted.set(id, entry?.index ?? this.accountList.length);
    if (!entry) return;
    for (const token of entry.tokens) this.#forgetToken(token);
    this.#identities.delete(entry.account?.identityHash ?? '');
    entry.account = undefined;
    this.#accounts.delete(id);
    for (const value of this.blocks.link.keys()) {
      if (this.#links.get(value)?.accountId === id) this.blocks.delete({ kind: 'link', value });
    }
    this.blocks.delete({ kind: 'account', value: id });
    this.statistics.erase({ accountId: id });
    if (entry.links.count > 0) this.#toErase.push(entry);
  }

  #entryOf(accountId: string): AccountEntry {
    let entry = this.#accounts.get(accountId);
    if (!entry) {
      entry = new AccountEntry(accountId, this.accountList.length);
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
