import type { LinkSort, LinkTotal } from '../../shared/links/link-list.ts';
import type { ExactField } from '../../shared/links/plain-fields.ts';
import type { Authorization, NewAccount } from './account.ts';
import type { Link, LinkJson } from './link.ts';

/** What is stored of a request with an idempotency key: hashes, never the key, body or token. */
export type Idempotency = {
  /** Keyed hash of the key and its scope. */
  keyHash: string;
  /** Keyed hash of the parsed request. */
  bodyHash: string;
  /** For an anonymous request: the salt from which, with the key, the token is derived again. */
  tokenSalt: string | null;
};

export type Replay = Idempotency & {
  /** As created, without later edits and hits. */
  link: Link;
};

/** What the server has left for larger links, besides what an account may have. */
export type Room = {
  /** Whether what is in memory has reached its limit. */
  isFull: boolean;
  /** What anonymous accounts together may add on the day with this number (UTC). Null for other accounts. */
  anonymous: { day: number; maxBytes: number } | null;
};

export type NewLink = {
  by: Authorization;
  /** Previous aliases that are not available are left out. Only imported links can have some. */
  link: Pick<Link, 'id'> & Omit<LinkJson, 'alias'>;
  /**
   * Aliases to try until one is available: only the custom one, or endless generated ones. Iterated
   * again if the call had to wait for a concurrent one.
   */
  aliases: Iterable<string>;
  /** The account to create with the link, for an anonymous call. */
  newAccount: NewAccount | null;
  idempotency: Idempotency | null;
  /**
   * How much can count for the account, this link included: in the calendar month (UTC) in which it was
   * made, or of an imported link, of all time. Infinity for no limit. See `LinkCounts`.
   */
  quota: number;
  /** Null: there is no limit. */
  room: Room | null;
};

export type AddLinkOutcome =
  /** The link was added. What counts for the account in the link's calendar month (UTC) includes it. */
  | { kind: 'added'; link: Link; usedInMonth: number }
  | { kind: 'replayed'; replay: Replay }
  /** The key belongs to another body, or to a link that was purged since. */
  | { kind: 'mismatch' }
  | { kind: 'quota_exceeded' }
  | { kind: 'alias_taken' }
  /** The domain of the alias was removed, or is no longer for the account. */
  | { kind: 'domain_unusable' }
  /** See `LINK_TARGETS_MAX_BYTES`. */
  | { kind: 'targets_too_long' }
  /** See `ACCOUNT_TAGS_MAX`. */
  | { kind: 'too_many_tags' }
  /** See `Room`. */
  | { kind: 'store_full' | 'anonymous_limit' }
  /** The account has a link of the same row of an import. */
  | { kind: 'imported_before' }
  /** The account was deleted since the caller looked it up. */
  | { kind: 'account_deleted' };

/** Which link a call means, and the account that must own it. */
export type OwnLink = { linkId: string; accountId: string };

export type LinkPurge = OwnLink & {
  by: Authorization;
  /** The version that the link must have. @default any */
  version?: number;
};

export type LinkEdit = OwnLink & {
  by: Authorization;
  /** Changed fields. A different spelling of the alias counts as a custom alias. */
  changes: LinkChanges;
  /** Time of the edit. */
  modified: number;
  /** The version that the link must have. @default any */
  version?: number;
  /**
   * How much can count in the calendar month (UTC) of the edit; Infinity for no limit. See `LinkCounts`. Null:
   * the edit does not count, because the account did not ask for it.
   */
  quota: number | null;
  /** Null: there is no limit. */
  room: Room | null;
};

type UnchangedName =
  | 'id'
  | 'accountId'
  | 'aliasIsCustom'
  | 'originalUrl'
  | 'targetUrl'
  | 'hits'
  | 'created'
  | 'editedAt'
  | 'version'
  | 'importKey'
  | 'importId'
  | 'newerFields';

export type LinkChanges = {
  /** The old alias becomes a previous alias of the link. */
  alias?: string;
  /** Those to keep. A removed one stays reserved for the account. New ones are ignored. */
  previousAliases?: string[];
  /** Deletes or restores the link. */
  deletedAt?: number | null;
} & {
  -readonly [K in Exclude<keyof Link, UnchangedName>]?: Link[K];
} & (Pick<Link, 'originalUrl' | 'targetUrl'> | { originalUrl?: never; targetUrl?: never }); // Both or neither, because they describe the same target.

export type EditLinkOutcome =
  | { kind: 'edited'; link: Link }
  /** The link does not exist, belongs to another account, or was deleted more than `RESTORABLE_MS` ago. */
  | { kind: 'not_found' }
  | { kind: 'alias_taken' }
  /** The domain of the new alias was removed, or is no longer for the account. */
  | { kind: 'domain_unusable' }
  /** For an alias that nobody has ever had, or for a link that gets larger. */
  | { kind: 'quota_exceeded' }
  /** See `LINK_TARGETS_MAX_BYTES`. */
  | { kind: 'targets_too_long' }
  /** See `ACCOUNT_TAGS_MAX`. */
  | { kind: 'too_many_tags' }
  /** See `Room`. */
  | { kind: 'store_full' | 'anonymous_limit' }
  /** As long as a link is blocked, it keeps its aliases. */
  | { kind: 'link_blocked' }
  /** The link has as many previous aliases as it can have. */
  | { kind: 'too_many_aliases' }
  /** The link was edited since; this is how it is now. */
  | { kind: 'version_mismatch'; link: Link };

/** `link_blocked`: its account could use its aliases again, without the block. */
export type PurgeLinkOutcome = 'purged' | 'not_found' | 'version_mismatch' | 'link_blocked';

/**
 * What links in a list have: all that is given, and neither null nor undefined. Each condition is a predicate in
 * `lists/link-filter.ts`, and each driver says how it finds such links.
 */
export type LinkConditions = {
  /** Words, in any letter case: each is part of an alias, the title, the target or a tag. */
  search?: string | null | undefined;
  /** In any letter case. */
  tag?: string | null | undefined;
  /** Only deleted links, or only others. */
  isDeleted?: boolean | undefined;
  /** Only links whose contents were edited then or later, milliseconds since the epoch. */
  editedSince?: number | undefined;
  /** All links but this one. */
  exceptId?: string | undefined;
  /** Only links to this host (as `normalizeHost` returns it) and its subdomains. */
  host?: string | null | undefined;
  /** Each link that passes is listed. Called after the other conditions. */
  matches?: ((link: Link) => boolean) | undefined;
} & { [K in ExactField]?: Link[K] | undefined };

/** Which links to list. */
export type LinkPageQuery = LinkConditions & {
  /** Whose. Null: those of all accounts, for administrators. */
  accountId: string | null;
  /** 1 or more. */
  limit: number;
  /** @default created */
  sort?: LinkSort;
  /** Only links after this one, in the order of the list. It need not exist any more. */
  after: LinkPosition | null;
  /**
   * Whether the list waits however long others take, because a part of it was sent already. Otherwise it is `busy`
   * after a while. @default false
   */
  waits?: boolean;
  /** Counts all links that pass, on the first page only: exactly, if they are not more than this. @default none */
  countUpTo?: number;
};

/**
 * The place of a link in a list. Lists are in the order of their key, then newest first by time of
 * creation, then by id, descending.
 */
export type LinkPosition = Pick<Link, 'created' | 'id'> & {
  /** The key of another order than `created`. */
  key?: number | string;
};

export type LinkPage = {
  links: Link[];
  /** The position of the last link; null if there are no more after it. */
  next: LinkPosition | null;
  /** All links that pass, if they were to be counted. */
  total?: LinkTotal;
};
