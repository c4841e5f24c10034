import type { TagCount } from '../../shared/links/tags.ts';
import type { Time } from '../../shared/time.ts';
import type { DurationHistogram } from '../lib/time.ts';
import type {
  Account,
  AccountDeletion,
  AddTokenOutcome,
  LinkCounts,
  NewAccount,
  NewToken,
  RedeemOutcome,
  Redemption,
  RevokeTokenOutcome,
  SignInCode,
  Token,
  TokenOwner,
  TokenRevocation,
} from './account.ts';
import type { Administration } from './administration.ts';
import type { Blocks } from './blocks.ts';
import type { StoredCounters } from './counters.ts';
import type { Link } from './link.ts';
import type {
  AddLinkOutcome,
  EditLinkOutcome,
  LinkEdit,
  LinkPage,
  LinkPageQuery,
  LinkPurge,
  NewLink,
  PurgeLinkOutcome,
  Replay,
} from './link-calls.ts';
import type { AliasState } from './rules/aliases.ts';
import type { StoredDomains } from './stored-domains.ts';
import type { Statistics, VisitsOf, VisitsOfHour, VisitsPerDay, VisitsWithTag } from './visits.ts';

/** A driver that has the data in memory returns it; one that must ask for it returns a promise. */
export type Awaitable<T> = T | Promise<T>;

/**
 * The interface of a store. Each driver is a file or folder next to this file, and passes
 * `test/store/contract/`.
 *
 * Times are milliseconds since the epoch, UTC. A store never changes what a caller passes. Any
 * method may reject with `StoreUnavailableError`; then nothing of that call is stored.
 *
 * A change names its `Authorization`, and is decided with the account as it is then: if a token was revoked
 * or an account suspended before, it rejects with the `ServiceError` of `authorize`, and nothing is stored.
 *
 * An alias on another domain than that of `BASE_URL` is written with its host: `go.example/sale`.
 *
 * An alias belongs to the first account that used it, for good: after its link is purged, only that
 * account can use it again, and after the account is deleted, nobody can.
 */
export interface Store {
  /** 32 random bytes, created once and valid as long as the data; used for idempotency keys, for example. */
  secret(): Promise<Buffer>;

  /** The token with this SHA-256 (base64url) and its account, unless it was revoked. */
  findToken(tokenHash: string): Awaitable<TokenOwner | undefined>;

  /**
   * Returns the SHA-256 (base64url) of a token that begins with these `TOKEN_HASH_START` characters, unless it
   * was revoked. Of tokens that begin alike, which is as good as impossible, it returns any.
   */
  findTokenHash(start: string): Awaitable<string | undefined>;

  /** The account of a person who signs in. @param identityHash see `Account` */
  findAccountByIdentity(identityHash: string): Awaitable<Account | undefined>;

  /**
   * Adds an account without a link, and resolves when it is on disk. Calls with one identity, also
   * concurrent ones, add one account.
   *
   * @returns the account, or the one that has the identity already
   */
  addAccount(account: NewAccount): Promise<Account>;

  /** The link with this alias or previous alias, regardless of case, in any state, also deleted. */
  findLink(alias: string): Promise<Link | undefined>;

  /**
   * The link as `findLink` would return it, if that is known without a look at the disk or the database.
   * As long as the link does not change, it is the same object, whose `hits` may be older.
   */
  knownLink(alias: string): Link | undefined;

  /**
   * Whether the account could take the alias: nobody has used it, or only the account itself did and no
   * link has it any more.
   *
   * @param accountId default: a new account
   */
  isAliasFree(alias: string, accountId?: string): Awaitable<boolean>;

  /** The same for many aliases, in their order. @see AliasState */
  aliasStates(aliases: readonly string[], accountId: string): Awaitable<AliasState[]>;

  /** Those of the keys that links of the account have. */
  findImportKeys(accountId: string, keys: readonly string[]): Awaitable<Set<string>>;

  /** What counts for the account: in the calendar month (UTC) of `time`, and in total. */
  countLinks(accountId: string, time: number): Awaitable<LinkCounts>;

  /** The result of an earlier call with this key within the idempotency window. */
  findReplay(keyHash: string, now: number): Promise<Replay | undefined>;

  /**
   * Adds a link atomically. First, a known idempotency key results in `replayed`, or `mismatch` if the
   * body differs. Then the quota and the alias are checked. Then the link with its previous aliases, the
   * quota, the idempotency key and, for an anonymous call, the account are stored, all or none. Resolves
   * when the result is on disk.
   */
  addLink(newLink: NewLink): Promise<AddLinkOutcome>;

  /**
   * Edits a link atomically and resolves when the edit is on disk. Until then, the link is returned
   * unchanged. Concurrent edits of one link are applied one after the other, each with its own check of
   * the version.
   */
  editLink(edit: LinkEdit): Promise<EditLinkOutcome>;

  /**
   * Erases a link and its statistics; its aliases stay reserved for the account. Its content leaves the
   * disk within 24 hours.
   *
   * @returns `not_found` also for a link of another account
   */
  purgeLink(link: LinkPurge): Promise<PurgeLinkOutcome>;

  /**
   * A page of the links of an account, or of all. A list that is read page by page has every link that exists throughout
   * and passes the conditions exactly once, provided that the link's place in the order stays: the time of
   * its creation always does. A link that moves toward the start because of a visit can be missing, one
   * that is renamed can be missing or be there twice. Does not block the event loop, however many links
   * there are.
   *
   * @throws ServiceError `busy` if too many lists of the account are being read, unless it `waits`
   */
  listLinks(query: LinkPageQuery): Promise<LinkPage>;

  /**
   * The tags of the account's links that are not deleted, the most used ones first. Tags that differ only in
   * case are one.
   *
   * @param limit 1 or more
   */
  countTags(accountId: string, limit: number): Promise<TagCount[]>;

  /**
   * Counts a hit. Hits are written within a second: a crash loses at most those of one second, and links may
   * be found without them until then.
   */
  countHit(linkId: string): void;

  /**
   * Counts a hit of a link with `maxVisits`, unless it is used up. Resolves when the hit is on disk, so
   * that no crash lets one visitor more pass.
   *
   * @returns whether the visitor may pass
   */
  takeVisit(linkId: string): Promise<boolean>;

  /**
   * Adds visits to the statistics of their links and accounts, all or none. Resolves when they are on
   * disk. Does not change `hits`. Unknown links are skipped.
   */
  addVisits(visits: VisitsOfHour[]): Promise<void>;

  /**
   * The statistics of a link, an account, or its links with a tag; without any period if there were no visits.
   * Those with a tag are added up from their links, which does not block the event loop.
   */
  readStatistics(of: VisitsOf | VisitsWithTag): Promise<Statistics>;

  /** Visitors of links per day. @param from start of the first day (UTC), at most 89 days ago */
  readVisitsPerDay(linkIds: readonly string[], from: number): Awaitable<VisitsPerDay>;

  /** All tokens of the account, oldest first, without codes that sign in. */
  listTokens(accountId: string): Promise<Token[]>;

  addToken(newToken: NewToken): Promise<AddTokenOutcome>;

  /** Adds a code with which a token can be made once. The account's oldest one ends if there are many. */
  addSignInCode(code: SignInCode): Promise<AddTokenOutcome>;

  /** Makes a token of a code, which is gone then. */
  redeemSignInCode(redemption: Redemption): Promise<RedeemOutcome>;

  /** Revokes a token. Effective from the next call of `findToken`, and for changes that are under way. */
  revokeToken(revocation: TokenRevocation): Promise<RevokeTokenOutcome>;

  /** Stores that a token was used at this time, with the precision of a UTC day; within a second. */
  markTokenUsed(token: Pick<Token, 'id' | 'accountId'>, time: number): void;

  /**
   * Erases an account with its links, statistics and tokens. Its content leaves the disk within 24 hours;
   * its aliases stay permanently reserved.
   */
  deleteAccount(deletion: AccountDeletion): Promise<void>;

  /**
   * The time by which to decide whether deleted links can be restored: a clock that is wrong makes none too old.
   *
   * @param now milliseconds since the epoch
   */
  certainTime(now: number): number;

  /** What visitors get a 451 for. */
  readonly blocks: Blocks;

  /** The domains besides that of `BASE_URL`, also removed ones. */
  readonly domains: StoredDomains;

  /** Whether what is added stays in the memory of this process, which limits it. */
  readonly growsInMemory: boolean;

  /** Undefined if no other process can use the data: it can count in its memory. */
  readonly counters: StoredCounters | undefined;

  /** What only administrators do. */
  readonly administration: Administration;

  /**
   * Checks that the store can write. Tries a write unless there was one recently.
   *
   * @throws StoreUnavailableError if it cannot write; later calls check again
   */
  checkWritable(): Promise<void>;

  /** Figures about this process and its data, for operators. Reads neither the data nor the disk. */
  metrics(): StoreMetrics;

  /** What the operator has opened. Reads the number of links. */
  overview(): Promise<StoreOverview>;

  /** Completes pending writes and closes all files. The store cannot be used afterwards. */
  close(): Promise<void>;
}

export type StoreOverview = {
  /** The absolute path of a folder; or the database and its hosts, without user and password. */
  location: string;
  /** Deleted ones that can be restored count, too. */
  links: number;
  /** Whether nothing was there before it was opened. */
  isNew: boolean;
};

export type StoreMetrics = {
  /** Changes that are being written or wait for it. */
  pendingChanges: number;
  /** How long the disk took to confirm what was written. */
  syncs: Readonly<Pick<DurationHistogram, 'counts' | 'sumMs'>>;
  failedWrites: number;
  /** Size of the data that is in use. Its files may take up to twice as much. */
  dataBytes: number;
  /** The part of it that the next compaction writes again. */
  journalBytes: number;
  compactions: { completed: number; failed: number };
};

/** Options of all drivers. */
export type StoreOptions = {
  /** @default systemTime */
  time?: Time;
  /** Called with errors that do not belong to a call, such as failing to write hits. */
  onError: (error: unknown) => void;
  /**
   * Called on opening, with a sentence on data that was quarantined or that is not in a safe place.
   * @default process.emitWarning
   */
  onWarning?: (message: string) => void;
};

/**
 * The disk is full, failing or missing: nothing was stored, and reading still works. Or the database cannot be
 * used: a change whose commit was not confirmed may have been stored.
 */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';
}

/** The store cannot be opened. The message tells the operator what to do. */
export class StoreOpenError extends Error {
  override name = 'StoreOpenError';
  /** Whether its data is damaged, or that of a newer version of Curt. */
  readonly reason: 'damaged' | 'newer' | 'other';

  constructor(
    message: string,
    { reason = 'other', ...options }: ErrorOptions & { reason?: StoreOpenError['reason'] } = {},
  ) {
    super(message, options);
    this.reason = reason;
  }
}

/** Whether changes can be saved now. */
export async function isWritable(store: Pick<Store, 'checkWritable'>): Promise<boolean> {
  try {
    await store.checkWritable();
    return true;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return false;
    throw error;
  }
}
