import type { Account, AccountChanges, Token } from './account.ts';
import type { Block, BlockKind, Blocks } from './blocks.ts';
import { fromLinkJson, type Link, type LinkJson, toLinkJson } from './link.ts';
import type { Idempotency } from './link-calls.ts';
import type { LinkReports } from './reports.ts';
import type { HistoryJson } from './statistics/history.ts';
import type { StoredDomain } from './stored-domains.ts';

/** An alias without a link. Only its account can use it again; nobody can if the id is empty. */
export type ReservedAlias = { accountId: string };

/** An idempotency key that was used. */
export type UsedKey = Omit<Idempotency, 'keyHash'> & {
  linkId: string;
  /** Milliseconds since the epoch. */
  created: number;
  /** The link as created, if it was changed since. */
  original?: Link;
};

/**
 * The kinds of records, and their values. A store is a set of records; each has a kind, a key and a value.
 * A record states what is, not what has changed, so applying one twice does no harm. Null deletes it.
 */
export type RecordValues = {
  /** By id. Deleting one deletes everything of it, but its aliases stay permanently reserved. */
  account: Account;
  /** By the hash of the token. */
  token: Token;
  /**
   * By id. It takes its aliases; one that it loses is reserved by a record of its own. Its hits are those it is
   * created with: later ones are a record.
   */
  link: Link;
  /** By the id of a link: all its hits. */
  hits: number;
  /** By the alias in lower case. */
  alias: ReservedAlias;
  /** By the hash of the key. */
  idempotencyKey: UsedKey;
  /** By the account and its month, or its imports: how much is used. See `rules/quota.ts`. */
  quota: number;
  /** By name: what counts against a limit on the day with this number (UTC). */
  day: { day: number; bytes: number };
  /** The last days (UTC) on which the store was open, oldest first. Its key is empty. See `rules/uptime.ts`. */
  uptime: readonly number[];
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

/** Returns the two parts of a key. No id and no kind has a space. */
export function splitKey(key: string): [first: string, second: string] {
  const space = key.indexOf(' ');
  return [key.slice(0, space), key.slice(space + 1)];
}

export function toRecordJson(record: StoreRecord): RecordJson {
  const [kind, key, value] = record;
  if (!value) return record;
  switch (kind) {
    case 'link':
      return [kind, key, toLinkJson(value)];
    case 'account':
      return [kind, key, toAccountJson(value)];
    case 'token':
      return [kind, key, toTokenJson(value)];
    case 'idempotencyKey': {
      const { original, ...used } = value;
      return original ? [kind, key, { ...used, original: toLinkJson(original) }] : record;
    }
    default:
      return record;
  }
}

/** @param json was made by `toRecordJson` */
export function fromRecordJson(json: RecordJson): StoreRecord {
  if (json[2] !== null) json[2] = fromValueJson(json as StoreRecord);
  return json as StoreRecord;
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
    case 'idempotencyKey': {
      const { original, ...used } = json as Omit<UsedKey, 'original'> & { original?: LinkJson };
      return original ? { ...used, original: fromLinkJson(used.linkId, original) } : used;
    }
    default:
      return json;
  }
}

/** An account as JSON, without its id, which is the key of its record. Default values are omitted. */
export type AccountJson = Partial<Omit<Account, 'id' | 'monthlyQuota'>> &
  Pick<Account, 'created'> & { monthlyQuota?: number | 'unlimited' };

/** A token as JSON, without its hash, which is the key of its record. Default values are omitted. */
export type TokenJson = Pick<Token, 'id' | 'accountId' | 'created'> & Partial<Token>;

export function toAccountJson({ id: _, monthlyQuota: quota, ...account }: Account): AccountJson {
  const monthlyQuota = quota === Number.POSITIVE_INFINITY ? 'unlimited' : quota;
  return without('', { ...account, ...(monthlyQuota !== undefined && { monthlyQuota }) });
}

export function fromAccountJson(id: string, { monthlyQuota, ...json }: AccountJson): Account {
  const quota = monthlyQuota === 'unlimited' ? Number.POSITIVE_INFINITY : monthlyQuota;
  const defaults = { id, name: '' };
  return { ...defaults, ...json, ...(quota !== undefined && { monthlyQuota: quota }) };
}

/** Returns the account with changes, of which null means the default. */
export function changeAccount(account: Account, changes: AccountChanges): Account {
  return without(null, { ...account, ...changes }) as Account;
}

export function toTokenJson({ tokenHash: _, scope, lastUsedOn, ...token }: Token): TokenJson {
  return without('', {
    ...token,
    ...(scope !== 'all' && { scope }),
    ...(lastUsedOn !== null && { lastUsedOn }),
  });
}

export function fromTokenJson(tokenHash: string, json: TokenJson): Token {
  return { tokenHash, name: '', scope: 'all', lastUsedOn: null, ...json };
}

/** The members of an object that have another value. */
function without<T extends object>(value: unknown, object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, each]) => each !== value)) as T;
}

type BlockRecord = [kind: 'block', key: string, content: Pick<Block, 'reason' | 'since'>];

/** All blocks. Operators make few of them. */
export class BlockTable implements Blocks {
  readonly link = new Map<string, Block>();
  readonly host = new Map<string, Block>();
  readonly account = new Map<string, Block>();

  /** @param key see `blockKey` */
  get(key: string): Block | undefined {
    const [kind, value] = splitKey(key) as [BlockKind, string];
    return this[kind].get(value);
  }

  /** @param content null to remove it */
  set(key: string, content: BlockRecord[2] | null): void {
    const [kind, value] = splitKey(key) as [BlockKind, string];
    if (content) this[kind].set(value, { kind, value, ...content });
    else this.delete({ kind, value });
  }

  delete({ kind, value }: Pick<Block, 'kind' | 'value'>): void {
    this[kind].delete(value);
  }

  *records(): Generator<BlockRecord> {
    for (const blocks of [this.link, this.host, this.account]) {
      for (const block of blocks.values()) {
        const { kind: _kind, value: _value, ...content } = block;
        yield ['block', blockKey(block), content];
      }
    }
  }
}
