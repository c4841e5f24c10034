import { foldTag } from '../../../shared/text.ts';
import type { Account, Token } from '../account.ts';
import type { Link } from '../link.ts';
import type { RecordKind, RecordValues, StoreRecord } from '../records.ts';
import { type AliasHolder, aliasesOf } from './aliases.ts';

/** What follows from a change: its outcome, and the records to write, all or none. */
export type Decision<T> = { outcome: T; records: StoreRecord[] };

/** A change of a store. Every driver looks up what it needs, decides, and writes the records. */
export type Change<T> = {
  /** For a driver that does not have everything in memory. */
  needs: () => Needs;
  /** A pure function of the facts: it reads no clock and no store. It may be called again. */
  decide: (facts: Facts) => Decision<T>;
};

/** What a decision asks the facts for. */
export type Needs = {
  /** Locked until the change is committed, and with them their links, aliases and quotas. */
  accounts?: readonly string[];
  /** Accounts of them that get a row if they have none, such as for their first link. */
  newAccounts?: readonly string[];
  /** Accounts of them whose tokens are read. */
  tokensOf?: readonly string[];
  identities?: readonly string[];
  links?: readonly string[];
  /** Links that are visited: locked, since their hits are counted at any time. */
  visitedLinks?: readonly string[];
  /** In lower case. */
  aliases?: readonly string[];
  /** In folded case: those that a link gets, of whose account the number of tags is read, too. */
  tags?: readonly string[];
  /** Keys of imported links, by which accounts find them again. */
  importKeys?: readonly string[];
  /** By their hashes. */
  idempotencyKeys?: readonly string[];
  /** See `blockKey`. */
  blocks?: readonly string[];
  /** Hosts. No other server changes any domain until the change is committed. */
  domains?: readonly string[];
  /** Hosts whose domains stay as they are until the change is committed. */
  usedDomains?: readonly string[];
  /** Names of limits of a day. No other server counts until the change is committed. */
  days?: readonly string[];
  /** An empty key, if the days on which the store was open are read. */
  uptime?: readonly string[];
  /** Ids of links whose reports are read. */
  reports?: readonly string[];
};

/** Nothing is written. */
export function unchanged<T>(outcome: T): Decision<T> {
  return { outcome, records: [] };
}

/** Records that a decision gets by their key. */
export type FactKind = Exclude<keyof RecordValues, 'alias' | 'hits'>;

/** What decisions ask for: what is on disk, or also what is about to be. */
export interface Facts {
  /** A link or a token: undefined also once its account was deleted. */
  get<Kind extends FactKind>(kind: Kind, key: string): RecordValues[Kind] | undefined;
  /** @param alias in lower case */
  holder(alias: string): AliasHolder | undefined;
  /** Whether the account has a link of that row of an import. */
  hasImportKey(accountId: string, importKey: string): boolean;
  /** Whether a link of the account has the tag. @param folded see `foldTag` */
  hasTag(accountId: string, folded: string): boolean;
  /** How many different tags the account's links have, also deleted ones. */
  countTags(accountId: string): number;
  accountByIdentity(identityHash: string): Account | undefined;
  /** Whether there was such an account. */
  isDeleted(accountId: string): boolean;
  /** Oldest first. */
  tokens(accountId: string): readonly Token[];
}

/** Records that are not on disk yet, over what they change. Null: the record is about to be deleted. */
export class PendingFacts implements Facts {
  /** What these records change: the data, or facts that are being written. */
  below: Facts;
  /** By kind and key. */
  readonly #values = new Map<RecordKind, Map<string, unknown>>();
  readonly #holders = new Map<string, AliasHolder | null>();
  readonly #identities = new Map<string, Account>();
  /** Ids of accounts with keys. */
  readonly #importKeys = new Set<string>();
  /** Folded tags that the accounts did not have before. */
  readonly #tags = new Map<string, Set<string>>();
  readonly #tokens = new Map<string, Token[]>();
  readonly #deleted = new Set<string>();

  constructor(below: Facts) {
    this.below = below;
  }

  add(record: StoreRecord): void {
    const [kind, key, value] = record;
    if (kind === 'link') this.#addLink(key, value);
    if (kind === 'alias') this.#holders.set(key, value);
    if (kind === 'account') this.#addAccount(key, value);
    if (kind === 'token') this.#addToken(key, value);
    const values = this.#values.get(kind) ?? new Map<string, unknown>();
    this.#values.set(kind, values.set(key, value));
  }

  /** The last records of a kind, without those that delete. */
  written<Kind extends RecordKind>(kind: Kind): [key: string, value: RecordValues[Kind]][] {
    const values = [...(this.#values.get(kind) ?? [])] as [string, RecordValues[Kind] | null][];
    return values.filter((each): each is [string, RecordValues[Kind]] => each[1] !== null);
  }

  values<Kind extends RecordKind>(kind: Kind): RecordValues[Kind][] {
    return this.written(kind).map(([, value]) => value);
  }

  /** The keys of all records of a kind. */
  keys(kind: RecordKind): Iterable<string> {
    return this.#values.get(kind)?.keys() ?? [];
  }

  /** The keys of what the last records of a kind delete. */
  deleted(kind: RecordKind): string[] {
    return [...this.keys(kind)].filter((key) => this.#values.get(kind)?.get(key) === null);
  }

  get<Kind extends FactKind>(kind: Kind, key: string): RecordValues[Kind] | undefined {
    const value = this.#values.get(kind)?.get(key);
    const found = value === undefined ? this.below.get(kind, key) : (value ?? undefined);
    const isOwned = kind === 'link' || kind === 'token';
    if (isOwned && this.#deleted.has((found as Link | Token | undefined)?.accountId ?? '')) {
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

  hasTag(accountId: string, folded: string): boolean {
    return this.#tags.get(accountId)?.has(folded) || this.below.hasTag(accountId, folded);
  }

  /** Those that are about to be lost count, too. */
  countTags(accountId: string): number {
    return (this.#tags.get(accountId)?.size ?? 0) + this.below.countTags(accountId);
  }

  accountByIdentity(identityHash: string): Account | undefined {
    const account =
      this.#identities.get(identityHash) ?? this.below.accountByIdentity(identityHash);
    return account && this.get('account', account.id);
  }

  isDeleted(accountId: string): boolean {
    return this.#deleted.has(accountId) || this.below.isDeleted(accountId);
  }

  tokens(accountId: string): readonly Token[] {
    if (this.isDeleted(accountId)) return [];
    return this.#tokens.get(accountId) ?? this.below.tokens(accountId);
  }

  #addLink(id: string, link: Link | null): void {
    const before = this.get('link', id);
    for (const alias of before ? aliasesOf(before) : []) this.#holders.set(alias, null);
    if (!link) return;
    for (const alias of aliasesOf(link)) this.#holders.set(alias, link);
    if (link.importKey !== null) this.#importKeys.add(`${link.accountId} ${link.importKey}`);
    for (const tag of link.tags) this.#addTag(link.accountId, foldTag(tag));
  }

  #addTag(accountId: string, folded: string): void {
    if (this.hasTag(accountId, folded)) return;
    const tags = this.#tags.get(accountId) ?? new Set<string>();
    this.#tags.set(accountId, tags.add(folded));
  }

  #addAccount(id: string, account: Account | null): void {
    if (!account) this.#deleted.add(id);
    else if (account.identityHash) this.#identities.set(account.identityHash, account);
  }

  #addToken(tokenHash: string, token: Token | null): void {
    const accountId = (token ?? this.get('token', tokenHash))?.accountId;
    if (accountId === undefined) return;
    const others = this.tokens(accountId).filter((each) => each.tokenHash !== tokenHash);
    this.#tokens.set(accountId, token ? [...others, token] : others);
  }
}
