import type { Account, LinkCounts } from '../account.ts';
import type { Link } from '../link.ts';
import { firstTokenOf, type StoredToken } from '../records/account-json.ts';
import type { Month } from '../records/month.ts';
import type { RecordValues, StoreRecord } from '../records.ts';
import { type AliasHolder, aliasesOf } from './aliases.ts';
import type { View, ViewedKind } from './view.ts';

/** How many links more or fewer an account has, by the number of their month. */
export type CountChanges = { total: number; imported: number; months: Map<number, number> };

/** Records that are not on disk yet, over what they change. Null: the record is about to be deleted. */
export class Layer implements View {
  /** What these records change: the data, or a layer that is being written. */
  below: View;
  readonly #monthOf: (time: number) => Pick<Month, 'number'>;
  readonly #values = new Map<string, unknown>();
  readonly #holders = new Map<string, AliasHolder | null>();
  readonly #identities = new Map<string, Account>();
  /** Ids of accounts with keys. */
  readonly #importKeys = new Set<string>();
  /** By account. */
  readonly countChanges = new Map<string, CountChanges>();
  readonly #tokens = new Map<string, StoredToken[]>();
  readonly #deleted = new Set<string>();

  constructor(below: View, monthOf: (time: number) => Pick<Month, 'number'>) {
    this.below = below;
    this.#monthOf = monthOf;
  }

  add(record: StoreRecord): void {
    const [kind, key, value] = record;
    if (kind === 'link') this.#addLink(key, value);
    if (kind === 'alias') this.#holders.set(key, value);
    if (kind === 'account') this.#addAccount(key, value);
    if (kind === 'token') this.#addToken(key, value);
    // Thousands a second, which no decision reads.
    if (kind !== 'hits') this.#values.set(`${kind} ${key}`, value);
  }

  get<Kind extends ViewedKind>(kind: Kind, key: string): RecordValues[Kind] | undefined {
    const value = this.#values.size > 0 ? this.#values.get(`${kind} ${key}`) : undefined;
    const found = value === undefined ? this.below.get(kind, key) : (value ?? undefined);
    if (kind === 'link' && this.#deleted.has((found as Link | undefined)?.accountId ?? '')) {
      return undefined;
    }
    return found as RecordValues[Kind] | undefined;
  }

  holder(alias: string): AliasHolder | undefined {
    const holder = this.#holders.get(alias);
    const found = holder === undefined ? this.below.holder(alias) : (holder ?? undefined);
    return found && this.#deleted.has(found.accountId) ? { accountId: '' } : found;
  }

  hasImportKey(accountId: string, importKey: string): boolean {
    return (
      this.#importKeys.has(`${accountId} ${importKey}`) ||
      this.below.hasImportKey(accountId, importKey)
    );
  }

  accountByIdentity(identityHash: string): Account | undefined {
    const account =
      this.#identities.get(identityHash) ?? this.below.accountByIdentity(identityHash);
    return account && this.get('account', account.id);
  }

  isDeleted(accountId: string): boolean {
    return this.#deleted.has(accountId) || this.below.isDeleted(accountId);
  }

  tokens(accountId: string): readonly StoredToken[] {
    if (this.isDeleted(accountId)) return [];
    return this.#tokens.get(accountId) ?? this.below.tokens(accountId);
  }

  counts(accountId: string, time: number): LinkCounts {
    const counts = this.below.counts(accountId, time);
    const changes = this.countChanges.get(accountId);
    if (!changes) return counts;
    const { total, imported, months } = changes;
    return {
      month: counts.month + (months.get(this.#monthOf(time).number) ?? 0),
      total: counts.total + total,
      imported: counts.imported + imported,
    };
  }

  #addLink(id: string, link: Link | null): void {
    const before = this.get('link', id);
    if (before) {
      for (const alias of aliasesOf(before)) this.#holders.set(alias, null);
      this.#count(before, -1);
    }
    if (link) {
      for (const alias of aliasesOf(link)) this.#holders.set(alias, link);
      if (link.importKey !== null) this.#importKeys.add(`${link.accountId} ${link.importKey}`);
      this.#count(link, 1);
    }
  }

  #count({ accountId, created, importKey }: Link, change: 1 | -1): void {
    let counts = this.countChanges.get(accountId);
    if (!counts) {
      counts = { total: 0, imported: 0, months: new Map() };
      this.countChanges.set(accountId, counts);
    }
    counts.total += change;
    const month = this.#monthOf(created).number;
    if (importKey !== null) counts.imported += change;
    else counts.months.set(month, (counts.months.get(month) ?? 0) + change);
  }

  #addAccount(id: string, account: Account | null): void {
    if (!account) {
      this.#deleted.add(id);
      return;
    }
    const { identityHash } = account;
    const before = this.get('account', id);
    if (before) this.#values.set(`token ${before.tokenHash}`, null);
    if (identityHash) this.#identities.set(identityHash, account);
    const first = firstTokenOf(account);
    if (first) this.#values.set(`token ${first.tokenHash}`, first);
    const others = this.tokens(id).filter((token) => token.id !== id);
    this.#tokens.set(id, [...(first ? [first] : []), ...others]);
  }

  #addToken(tokenHash: string, token: StoredToken | null): void {
    const accountId = (token ?? this.get('token', tokenHash))?.accountId;
    if (accountId === undefined) return;
    const others = this.tokens(accountId).filter((each) => each.tokenHash !== tokenHash);
    this.#tokens.set(accountId, token ? [...others, token] : others);
  }
}
