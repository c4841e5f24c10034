import type { Account } from './account.ts';
import type { Block, BlockKind } from './blocks.ts';
import type { StoredDomain } from './domains.ts';
import type { Idempotency, Link } from './link.ts';
import {
  fromAccountJson,
  fromTokenJson,
  type StoredToken,
  toAccountJson,
  toTokenJson,
} from './records/account-json.ts';
import { fromLinkJson, type LinkJson, toLinkJson } from './records/link-json.ts';
import type { LinkReports } from './reports.ts';
import type { HistoryJson } from './statistics/history-json.ts';

/** An alias without a link. Only its account can use it again; nobody can if the id is empty. */
export type ReservedAlias = { accountId: string };

/** An idempotency key that was used. */
export type UsedKey = Omit<Idempotency, 'keyHash'> & {
  linkId: string;
  /** Milliseconds since the epoch. */
  created: number;
  /** The link as created, if it was changed since. */
  original: Link | null;
};

/**
 * The kinds of records, and their values. A store is a set of records; each has a kind, a key and a value.
 * A record states what is, not what has changed, so applying one twice does no harm. Null deletes it.
 */
export type RecordValues = {
  /** By id. Deleting one deletes everything of it, but its aliases stay permanently reserved. */
  account: Account;
  /** By the hash of the token. The first token of an account is part of the account. */
  token: StoredToken;
  /** By the hash of a token: the number of the UTC day of its last use. */
  used: number;
  /** By id. It takes its aliases. Its hits are those it is created with: later ones are a record. */
  link: Link;
  /** By the id of a link: all its hits. */
  hits: number;
  /** By the alias in lower case. */
  alias: ReservedAlias;
  /** By the hash of the key. */
  key: UsedKey;
  /** By `useKey`: what counts against a quota besides the links of the account. Can be negative. */
  use: number;
  /** By name: what counts against a limit on the day with this number (UTC). */
  day: { day: number; bytes: number };
  /** By `blockKey`. */
  block: Pick<Block, 'reason' | 'since'>;
  /** By host. Deleted only if it was removed and has no aliases. */
  domain: StoredDomain;
  /** By the id of a link, without which they are gone. */
  report: LinkReports;
};

export type RecordKind = keyof RecordValues;

export type StoreRecord = {
  [Kind in RecordKind]: [kind: Kind, key: string, value: RecordValues[Kind] | null];
}[RecordKind];

/** The statistics of a link or an account, by `subjectOf`. Journals have visits instead. */
export type HistoryRecord = [kind: 'history', subject: string, history: HistoryJson];

/** A record as JSON, which `fromRecordJson` changes. */
export type RecordJson = [kind: string, key: string, value: unknown];

export function blockKey({ kind, value }: { kind: BlockKind; value: string }): string {
  return `${kind} ${value}`;
}

/** @param period a month, see `monthNumber`, or the imports of all time */
export function useKey(accountId: string, period: number | 'imports'): string {
  return `${accountId} ${period}`;
}

/** The two parts of a key. No id and no kind has a space. */
export function splitKey(key: string): [first: string, second: string] {
  const space = key.indexOf(' ');
  return [key.slice(0, space), key.slice(space + 1)];
}

export function toRecordJson([kind, key, value]: StoreRecord): RecordJson {
  return [kind, key, value === null ? null : toValueJson(kind, value)];
}

/** @param json was made by `toRecordJson` */
export function fromRecordJson(json: RecordJson): StoreRecord {
  if (json[2] !== null) json[2] = fromValueJson(json as StoreRecord);
  return json as StoreRecord;
}

function toValueJson(kind: RecordKind, value: unknown): unknown {
  switch (kind) {
    case 'link':
      return toLinkJson(value as Link);
    case 'account':
      return toAccountJson(value as Account);
    case 'token':
      return toTokenJson(value as StoredToken);
    case 'key': {
      const { original, ...key } = value as UsedKey;
      return original ? { ...key, original: toLinkJson(original) } : key;
    }
    default:
      return value;
  }
}

/** The value is JSON yet. */
function fromValueJson([kind, key, json]: StoreRecord): unknown {
  switch (kind) {
    case 'link':
      return fromLinkJson(key, json as LinkJson);
    case 'account':
      return fromAccountJson(key, json as never);
    case 'token':
      return fromTokenJson(key, json as never);
    case 'key': {
      const { original, ...used } = json as Omit<UsedKey, 'original'> & { original?: LinkJson };
      return { ...used, original: original ? fromLinkJson(used.linkId, original) : null };
    }
    default:
      return json;
  }
}
