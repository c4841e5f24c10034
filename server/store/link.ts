import type { Card, Destinations, Rule } from '../../shared/links/destinations.ts';
import type { ExactField } from '../../shared/links/fields.ts';
import type { LinkSort, LinkTotal } from '../../shared/links/link-list.ts';
import type { Account, Authorization } from './account.ts';

/**
 * A link as stores hold it. Times are milliseconds since the epoch, UTC. `toLink` makes one, `changedLink` a
 * changed copy.
 *
 * An object has only the fields that differ from `LINK_DEFAULTS`, which its prototype has: of a million links,
 * most have few. A spread would lose the others; so that the compiler says so, they are accessors here.
 */
export declare class Link implements Destinations {
  readonly id: string;
  accountId: string;
  /**
   * As written; lookups ignore case. On another domain than that of `BASE_URL`, with its host in front:
   * `go.example/sale`. So an alias is unique and stays with its account on each domain by itself, and no
   * store knows of domains. The same holds for previous aliases and wherever else a store is given one.
   */
  readonly alias: string;
  /** Whether the alias was requested and not generated. */
  get aliasIsCustom(): boolean;
  /** Earlier aliases, which still lead to the link, oldest first. At most `PREVIOUS_ALIASES_MAX`. */
  get previousAliases(): readonly string[];
  /** As sent by the client. */
  readonly originalUrl: string;
  /** The URL serialized by the WHATWG URL parser, so that visits do not have to parse it. */
  readonly targetUrl: string;
  get title(): string;
  get description(): string | null;
  /** As written, trimmed, without duplicates; lookups ignore case. */
  get tags(): string[];
  /** Argon2id, in PHC string format. */
  get passwordHash(): string | null;
  get rules(): Rule[];
  get goneUrl(): string | null;
  get card(): Card | null;
  /** Before it, the link does not work yet. */
  get startsAt(): number | null;
  /** Whether visitors learn nothing of the link before `startsAt`. */
  get hideUntilStart(): boolean;
  get expiresAt(): number | null;
  /** The link is used up once `hits` reaches it. */
  get maxVisits(): number | null;
  get waitTimer(): number;
  get customGtmId(): string | null;
  /** Whether the query of a visit is added to the target. */
  get forwardQuery(): boolean;
  get isActive(): boolean;
  /** When the link was deleted; null if it was not. Restorable until `RESTORABLE_MS` later. */
  get deletedAt(): number | null;
  hits: number;
  readonly created: number;
  /** When it was last edited; null if it was not. */
  get editedAt(): number | null;
  /** 1 for a new link, and one more with each edit. Hits do not change it. */
  get version(): number;
  /** Identifies the row of the import that made the link, so that no import adds it again. */
  get importKey(): string | null;
  /** What a newer version has stored of the link. This one keeps it as it is. */
  get newerFields(): Readonly<Record<string, unknown>> | null;
}

/** The fields of a link, where those with a default can be missing. */
export type LinkFields = Pick<Link, 'id' | 'accountId' | 'alias' | 'originalUrl' | 'created'> & {
  -readonly [K in keyof Link]?: Link[K] | undefined;
};

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
  link: Omit<LinkFields, 'alias'>;
  /**
   * Aliases to try until one is available: only the custom one, or endless generated ones. Iterated
   * again if the call had to wait for a concurrent one.
   */
  aliases: Iterable<string>;
  /** The account to create with the link, for an anonymous call. */
  newAccount: Account | null;
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
  /** With what counts for the account in the link's calendar month (UTC), this link included. */
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
  /** See `Room`. */
  | { kind: 'store_full' | 'anonymous_limit' }
  /** As long as a link is blocked, it keeps its aliases. */
  | { kind: 'link_blocked' }
  /** The link has as many previous aliases as it can have. */
  | { kind: 'too_many_aliases' }
  /** With the link as it is. */
  | { kind: 'version_mismatch'; link: Link };

/** `link_blocked`: its account could use its aliases again, without the block. */
export type PurgeLinkOutcome = 'purged' | 'not_found' | 'version_mismatch' | 'link_blocked';

/**
 * What links in a list have: all that is given, and neither null nor undefined. Each condition is a predicate in
 * `records/link-filter.ts`, and each driver says how it finds such links.
 */
export type LinkConditions = {
  /** Words, in any letter case: each is part of an alias, the title, the target or a tag. */
  search?: string | null | undefined;
  /** In any letter case. */
  tag?: string | null | undefined;
  /** Only deleted links, or only others. */
  isDeleted?: boolean | undefined;
  /** All links but this one. */
  exceptId?: string | undefined;
  /** Only links to this host (as `normalizeHost` returns it) and its subdomains. */
  host?: string | null | undefined;
  /** Each link that passes is listed. Called after the other conditions. */
  matches?: ((link: Link) => boolean) | undefined;
} & { [K in ExactField]?: Link[K] | undefined };

/** Which links of an account to list. */
export type LinkQuery = LinkConditions & {
  accountId: string;
  /** 1 or more. */
  limit: number;
  /** @default created */
  sort?: LinkSort;
  /** Only links after this one, in the order of the list. It need not exist any more. */
  after: LinkPosition | null;
  /** Counts all links that pass, on the first page only: exactly, if they are not more than this. @default none */
  countUpTo?: number;
};

/**
 * The place of a link in a list. Lists are in the order of their key, then newest first by time of
 * creation, then by id, descending.
 */
export type LinkPosition = Pick<Link, 'created' | 'id'> & {
  /** By what else than `created` the list is sorted, as `LinkSort` says. */
  key?: number | string;
};

export type LinkPage = {
  links: Link[];
  /** The position of the last link; null if there are no more after it. */
  next: LinkPosition | null;
  /** All links that pass, if they were to be counted. */
  total?: LinkTotal;
};
