/** A driver that has the data in memory returns it; one that must ask for it returns a promise. */
export type Awaitable<T> = T | Promise<T>;

/**
 * The interface of a store. Each driver is a file or folder next to this file, and passes
 * `test/store/contract.ts`.
 *
 * Times are milliseconds since the epoch, UTC. A store never changes what a caller passes. Any
 * method may reject with `StoreUnavailableError`; then nothing of that call is stored.
 */
export interface Store {
  /** 32 random bytes, created once and valid as long as the data; used for idempotency keys, for example. */
  secret(): Promise<Buffer>;

  /** The account whose token has this SHA-256 (base64url), if it exists. */
  findAccount(tokenHash: string): Awaitable<Account | undefined>;

  /** The link with this alias, regardless of case, including expired and inactive links. */
  findLink(alias: string): Promise<Link | undefined>;

  /** The number of links of the account: in the calendar month (UTC) of `time`, and in total. */
  countLinks(accountId: string, time: number): Awaitable<LinkCounts>;

  /** The result of an earlier call with this key within the idempotency window. */
  findReplay(keyHash: string, now: number): Promise<Replay | undefined>;

  /**
   * Adds a link atomically. First, a known idempotency key results in `replayed`, or `mismatch` if the
   * body differs. Then the quota and the alias are checked. Then the link, the quota, the idempotency
   * key and, for an anonymous call, the account are stored, all or none. Resolves when the result is on
   * disk.
   */
  addLink(newLink: NewLink): Promise<AddLinkOutcome>;

  /**
   * Edits a link atomically and resolves when the edit is on disk. Until then, the link is returned
   * unchanged. The previous alias becomes available. Concurrent edits of one link are applied one after
   * the other.
   */
  editLink(edit: LinkEdit): Promise<EditLinkOutcome>;

  /** Counts a hit. Hits are written within a second, so a crash loses at most those of one second. */
  countHit(linkId: string): void;

  /** Returns a `countHit` for one link without a look-up per hit. Valid while `changeCount` is unchanged. */
  hitCounter(linkId: string): () => void;

  /**
   * Grows with every change to what `findLink` returned before: an edit or a deletion, but not a new
   * link or a hit. A cache reads it before a look-up and clears itself when it has grown.
   *
   * It is a number instead of an event, so that a change takes effect on the very next visit, and a
   * result that arrives late can't outlive a change. A driver that is notified of changes by other
   * processes counts those too. A driver that isn't returns a greater number each time, so that
   * nothing is cached.
   */
  readonly changeCount: number;

  /**
   * Checks that the store can write. Tries a write unless there was one recently.
   *
   * @throws StoreUnavailableError if it cannot write; later calls check again
   */
  checkWritable(): Promise<void>;

  /** Completes pending writes and closes all files. The store cannot be used afterwards. */
  close(): Promise<void>;
}

/** Options of all drivers. */
export type StoreOptions = {
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Called with errors that do not belong to a call, such as failing to write hits. */
  onError: (error: unknown) => void;
  /** Called with a sentence on data that was quarantined on opening. @default process.emitWarning */
  onWarning?: (message: string) => void;
};

export type Account = {
  id: string;
  /** SHA-256 of the token, base64url. The token itself is never stored. */
  tokenHash: string;
  created: number;
};

export type Link = {
  id: string;
  accountId: string;
  /** As written; lookups ignore case. */
  alias: string;
  /** Whether the alias was requested and not generated. */
  aliasIsCustom: boolean;
  /** As sent by the client. */
  originalUrl: string;
  /** The URL serialized by the WHATWG URL parser, so that visits do not have to parse it. */
  targetUrl: string;
  title: string;
  description: string | null;
  /** Argon2id, in PHC string format. */
  passwordHash: string | null;
  expiresAt: number | null;
  waitTimerSeconds: number;
  gtmId: string | null;
  isActive: boolean;
  hits: number;
  created: number;
  modified: number;
};

export type LinkCounts = { month: number; total: number };

/** What is stored of a request with an idempotency key: hashes, never the key, body or token. */
export type Idempotency = {
  /** HMAC of the key and its scope. */
  keyHash: string;
  /** HMAC of the parsed request. */
  bodyHash: string;
  /** For an anonymous request: the salt from which, with the key, the token is derived again. */
  tokenSalt: string | null;
};

export type Replay = Idempotency & {
  /** As created, without later edits and hits. */
  link: Link;
};

export type NewLink = {
  link: Omit<Link, 'alias'>;
  /**
   * Aliases to try until one is available: only the custom one, or endless generated ones. Iterated
   * again if the call had to wait for a concurrent one.
   */
  aliases: Iterable<string>;
  /** The account to create with the link, for an anonymous call. */
  newAccount: Account | null;
  idempotency: Idempotency | null;
  /** Links per calendar month; Infinity for no limit. */
  monthlyQuota: number;
};

export type AddLinkOutcome =
  /** With the links that the account has made in the link's calendar month (UTC), this one included. */
  | { kind: 'added'; link: Link; linksInMonth: number }
  | { kind: 'replayed'; replay: Replay }
  | { kind: 'mismatch' }
  | { kind: 'quota_exceeded' }
  | { kind: 'alias_taken' };

export type LinkEdit = {
  linkId: string;
  /** The account that must own the link. */
  accountId: string;
  /** Changed fields. A different spelling of the alias counts as a custom alias. */
  changes: LinkChanges;
  /** Time of the edit. */
  modified: number;
};

export type LinkChanges = Partial<
  Pick<
    Link,
    | 'alias'
    | 'title'
    | 'description'
    | 'passwordHash'
    | 'expiresAt'
    | 'waitTimerSeconds'
    | 'gtmId'
    | 'isActive'
  >
> &
  // Both or neither, because they describe the same target.
  (Pick<Link, 'originalUrl' | 'targetUrl'> | { originalUrl?: never; targetUrl?: never });

export type EditLinkOutcome =
  | { kind: 'edited'; link: Link }
  /** The link does not exist or belongs to another account. */
  | { kind: 'not_found' }
  | { kind: 'alias_taken' };

/** The disk is full, failing or missing. Nothing was stored. Reading still works. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';
}

/** The store cannot be opened. The message tells the operator what to do. */
export class StoreOpenError extends Error {
  override name = 'StoreOpenError';
}
