/**
 * What the service needs of a store, whatever keeps it. Drivers stand beside this file, one file
 * (or folder) each; every one passes `test/store/contract.ts`.
 *
 * Times are milliseconds since the epoch, UTC. Nothing that a caller gave is changed by a store.
 * Any method that returns a promise may reject with `StoreUnavailableError`; then nothing of that
 * call is kept. What each request needs only to read is returned at once, without a promise.
 */
export interface Store {
  /** Keys what must stay valid as long as the data, idempotency keys above all: 32 random bytes, made once. */
  secret(): Promise<Buffer>;

  /** The account whose token has this SHA-256 (base64url), if there is one. */
  findAccount(tokenHash: string): Account | undefined;

  /** The link of an alias, without regard to case. Expired and inactive links are found, too. */
  findLink(alias: string): Promise<Link | undefined>;

  /** How many links the account has made: in the calendar month (UTC) of a moment, and ever. */
  countLinks(accountId: string, time: number): LinkCounts;

  /** What an earlier call with this key did, no older than the idempotency window. */
  findReplay(keyHash: string, now: number): Promise<Replay | undefined>;

  /**
   * Adds a link in one atomic act, in this order: a known idempotency key answers `replayed`
   * (`mismatch` when its body differs); then the quota; then the alias; then link, quota,
   * idempotency key and, for an anonymous call, the account are kept, all or none of them.
   * Resolves when what it says is on disk.
   */
  addLink(wish: LinkWish): Promise<AddLinkOutcome>;

  /**
   * Changes a link in one atomic act, and resolves when it is on disk; until then the link is shown
   * as before. An alias that is given up is free from then on. Of edits of one link at once, each
   * is made to what the one before it left.
   */
  editLink(edit: LinkEdit): Promise<EditLinkOutcome>;

  /** Counts a visitor sent to the target. Kept within a second; a crash loses at most that. */
  countHit(linkId: string): void;

  /**
   * A function that counts hits of one link, as `countHit` does, without a look-up for each. It is
   * valid as long as `changeCount` stays the same.
   */
  hitCounter(linkId: string): () => void;

  /**
   * Grows with every change after which `findLink` may answer otherwise for an alias that it found:
   * an edit, a deletion. Not with new links, nor with hits. Whoever remembers what `findLink`
   * found reads this before the look-up, and drops everything once it has grown.
   *
   * A number that is read, rather than an event: it is right at the very next visit, a result that
   * arrives late cannot outlive the change that it missed, and a driver whose look-ups take a round
   * trip can have it, too. One that hears of other processes' changes counts those; one that
   * cannot hear of them returns a greater number each time, and nothing is remembered.
   */
  readonly changeCount: number;

  /**
   * Resolves if the store can write, which it tries unless it has written a short while ago.
   *
   * @throws StoreUnavailableError it cannot; once it can again, a later call resolves
   */
  checkWritable(): Promise<void>;

  /** Keeps what is still under way, and lets go of the files. The store is not used afterwards. */
  close(): Promise<void>;
}

/** What a driver is given beside its address. */
export type StoreOptions = {
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Told of what went wrong where no call is there to fail, such as keeping hits. */
  onError: (error: unknown) => void;
  /** Told, in a sentence, of what opening had to put aside. @default process.emitWarning */
  onWarning?: (message: string) => void;
};

export type Account = {
  id: string;
  /** SHA-256 of the token, base64url. The token itself is kept nowhere. */
  tokenHash: string;
  created: number;
};

export type Link = {
  id: string;
  accountId: string;
  /** As written; looked up without regard to case. */
  alias: string;
  /** Whether the alias was asked for, rather than made up. */
  aliasIsCustom: boolean;
  /** As the caller wrote it. */
  originalUrl: string;
  /** The same, serialized by the WHATWG URL parser: a visit sends it as it is, and parses nothing. */
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

/** What is remembered of a call with an idempotency key: hashes, never the key, body or token. */
export type Idempotency = {
  /** HMAC of the key and its scope. */
  keyHash: string;
  /** HMAC of the request as it was read. */
  bodyHash: string;
  /** Of an anonymous call: the salt that, with the key, makes the token again. */
  tokenSalt: string | null;
};

export type Replay = Idempotency & {
  /** As it was when it was made: no edit shows, and no hits. */
  link: Link;
};

export type LinkWish = {
  link: Omit<Link, 'alias'>;
  /**
   * Aliases to try in turn until one is free: the custom one alone, or made-up ones without end.
   * Gone through anew by each try, if one had to wait for a call under way.
   */
  aliases: Iterable<string>;
  /** Given for an anonymous call: the account to open with the link. */
  newAccount: Account | null;
  idempotency: Idempotency | null;
  /** Links a calendar month; Infinity for no limit. */
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
  /** Whose link it must be. */
  accountId: string;
  /** What is to be otherwise. An alias of another spelling is one that was asked for. */
  changes: LinkChanges;
  /** When. */
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
  // Both or neither: one says where the other leads.
  (Pick<Link, 'originalUrl' | 'targetUrl'> | { originalUrl?: never; targetUrl?: never });

export type EditLinkOutcome =
  | { kind: 'edited'; link: Link }
  /** There is none, or it is another account's. */
  | { kind: 'not_found' }
  | { kind: 'alias_taken' };

/** The disk is full, fails or is gone: nothing was kept. Reading goes on. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';
}

/** The store cannot be opened. The message is for whoever started the server, and says what to do. */
export class StoreOpenError extends Error {
  override name = 'StoreOpenError';
}
