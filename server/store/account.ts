/** An account as stores hold it. Times are milliseconds since the epoch, UTC. */
export type Account = {
  id: string;
  /**
   * SHA-256 (base64url) of the first token. That token's id is the account's id, its scope `all`. An
   * empty string once it is revoked.
   */
  tokenHash: string;
  /** An empty string if nobody named it. */
  name: string;
  /** Of a person who signs in: a keyed hash of who that is, by which the account is found. */
  identityHash?: string;
  created: number;
  /** Links per calendar month; Infinity for no limit. Missing: the server's default. */
  monthlyQuota?: number;
  /** Its tokens are refused. Its links go on. Missing: it is not. */
  suspended?: Measure;
};

/** What an administrator did, why and when. */
export type Measure = { reason: string; since: number };

/** Null: the default. */
export type AccountChanges = {
  name?: string;
  monthlyQuota?: number | null;
  suspended?: Measure | null;
};

/** What a token allows: everything, only creating links, or only reading. */
export type TokenScope = 'all' | 'create' | 'read';

export type Token = {
  /** Unique, and safe to show. */
  id: string;
  accountId: string;
  /** SHA-256 of the token, base64url. The token itself is never stored. */
  tokenHash: string;
  name: string;
  scope: TokenScope;
  created: number;
  /** Start of the UTC day of its last use; null if it was never used. */
  lastUsedOn: number | null;
};

/** A valid token and its account. */
export type TokenOwner = { account: Account; token: Token };

export type AddTokenOutcome = 'added' | 'not_found' | 'too_many';

/** `last_token`: without it, no token with the scope `all` would be left. */
export type RevokeTokenOutcome = 'revoked' | 'not_found' | 'last_token';

export type LinkCounts = {
  /** Links that count against the quota of the calendar month (UTC): all that were made, but no imports. */
  month: number;
  /** Links that the account has, imported and deleted ones included, but not purged ones. */
  total: number;
  /** Imported links among them. */
  imported: number;
};
