/** An account as stores hold it. Times are milliseconds since the epoch, UTC. */
export type Account = {
  id: string;
  /** An empty string if nobody named it. */
  name: string;
  /** A keyed hash of the person who signs in, by which the account is found. */
  identityHash?: string;
  created: number;
  /** Whether it was opened by a call without a token. Missing: it was not. */
  isAnonymous?: true;
  /** Links and new aliases per calendar month; Infinity for no limit. Missing: the server's default. */
  monthlyQuota?: number;
  /** Its tokens are refused. Its links go on. Missing: it is not. */
  suspended?: Suspension;
  /** Host of the domain of its new links. Missing: that of `BASE_URL`. */
  domain?: string;
  /** The latest import. Missing: there was none. */
  lastImport?: StoredImport;
  /** The import that was asked to end. */
  stoppedImport?: string;
  /** Imports that were undone, latest first: what they have added, and is still deleted, does not count in another import. */
  undoneImports?: readonly string[];
};

/** An import, and how far it is. */
export type StoredImport = {
  importId: string;
  started: number;
  /** Rows of its file. */
  rows: number;
  /** Rows that are dealt with; all of them once it has ended. */
  done: number;
  /** When `done` was stored. */
  updated: number;
};

/**
 * An account to add, and the SHA-256 (base64url) of its first token, which has the scope `all` and the id of
 * the account, if it gets one.
 */
export type NewAccount = Account & { tokenHash?: string };

/** Why and since when. */
type Suspension = { reason: string; since: number };

/** Null: the default. */
export type AccountChanges = {
  name?: string;
  monthlyQuota?: number | null;
  suspended?: Suspension | null;
  domain?: string | null;
  lastImport?: StoredImport;
  stoppedImport?: string;
  undoneImports?: readonly string[];
};

/** What a token allows: everything, only creating links, or only reading. */
export type TokenScope = 'all' | 'create' | 'read';

/** Characters by which `Store.findTokenHash` finds a token: 60 bits. */
export const TOKEN_HASH_START = 10;

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
  /** It is no token that anybody can send, but a code, of which one is made once. Missing: it is not. */
  signIn?: {
    expires: number;
    /** The hash of the token that has made it, without which it is worth nothing. */
    by: string;
  };
};

/** What a token must allow: anything, or what its scope says. The scope `all` allows everything. */
export type Access = 'any_token' | TokenScope;

/**
 * On whose behalf something is done. `authorize` decides by it, also in the store: the token may be revoked
 * or the account suspended while a request is under way.
 */
export type Authorization =
  /** Somebody with this token (its SHA-256, base64url), which must allow this. */
  | { kind: 'token'; tokenHash: string; access: Access }
  /** The owner of an account, whom the proxy vouches for. Needs no token. */
  | { kind: 'identity' }
  /** Somebody without a token, who can only add an account with its first link. */
  | { kind: 'anonymous' }
  /**
   * Somebody in `ADMIN_IDENTITIES`, somebody with `ADMIN_TOKEN`, or the server itself. Needs no token of the
   * account.
   */
  | { kind: 'administrator'; identity?: string };

export type NewToken = {
  token: Token;
  by: Authorization;
  /** How many tokens the account can have. @default `TOKENS_MAX` */
  max?: number;
};

export type SignInCode = { code: Token; by: Authorization };

/** The SHA-256 (base64url) of a code, and the token that is made of it. */
export type Redemption = { codeHash: string; token: Token };

/** `invalid`: there is no such code any more, or its account is suspended or blocked. */
export type RedeemOutcome = 'redeemed' | 'invalid' | 'too_many';

export type TokenRevocation = Pick<Token, 'id' | 'accountId'> & {
  by: Authorization;
  /** Whether it may be the last token with the scope `all`. */
  evenIfLast: boolean;
};

export type AccountDeletion = { accountId: string; by: Authorization };

/** A valid token and its account. */
export type TokenOwner = { account: Account; token: Token };

export type AddTokenOutcome = 'added' | 'not_found' | 'too_many';

/** `last_token`: without it, no token with the scope `all` would be left. See `evenIfLast`. */
export type RevokeTokenOutcome = 'revoked' | 'not_found' | 'last_token';

export type LinkCounts = {
  /**
   * What counts against the quota of the calendar month (UTC): links that were made, and aliases that
   * nobody had ever had before a link was renamed to them.
   */
  month: number;
  /** Links that the account has, imported and deleted ones included, but not purged ones. */
  total: number;
  /** What counts against the limit of imports, for good: aliases that nobody had ever had before. */
  imported: number;
};
