import { DAY_MS } from '../../core/durations.ts';
import type { Account, AccountChanges, Measure, Token } from '../account.ts';

/**
 * The formats of accounts and tokens in files and in memory. Default values are omitted. The id is the
 * first member, because lookups compare the beginning of the text.
 */
export type AccountJson = Pick<Account, 'id' | 'created'> & {
  /** Missing once the first token is revoked. */
  tokenHash?: string;
  name?: string;
  monthlyQuota?: number | 'unlimited';
  suspended?: Measure;
  identityHash?: string;
  /** Snapshot only: the day of the first token's last use. */
  usedOn?: number;
};

/** A further token. */
export type TokenJson = Pick<Token, 'id' | 'accountId' | 'tokenHash' | 'created'> &
  Partial<Pick<Token, 'name' | 'scope'>> & {
    /** Snapshot only: the day of its last use. */
    usedOn?: number;
  };

/** What administrators can change of an account; what is missing has its default value. */
export type AccountEditJson = Pick<AccountJson, 'id' | 'name' | 'monthlyQuota' | 'suspended'>;

export function toAccountJson(account: Account): AccountJson {
  const { tokenHash, identityHash, created } = account;
  return {
    ...toEditJson(account),
    ...(tokenHash && { tokenHash }),
    ...(identityHash && { identityHash }),
    created,
  };
}

export function fromAccountJson(json: AccountJson): Account {
  const { id, tokenHash = '', name = '', identityHash, created, monthlyQuota, suspended } = json;
  const quota = monthlyQuota === 'unlimited' ? Number.POSITIVE_INFINITY : monthlyQuota;
  return {
    id,
    tokenHash,
    name,
    ...(identityHash && { identityHash }),
    created,
    ...(quota !== undefined && { monthlyQuota: quota }),
    ...(suspended && { suspended }),
  };
}

export function toEditJson({ id, name, monthlyQuota, suspended }: Account): AccountEditJson {
  const isUnlimited = monthlyQuota === Number.POSITIVE_INFINITY;
  return {
    id,
    ...(name && { name }),
    ...(monthlyQuota !== undefined && { monthlyQuota: isUnlimited ? 'unlimited' : monthlyQuota }),
    ...(suspended && { suspended }),
  };
}

/** The account with an administrator's edit. */
export function applyEdit(
  { name: _, monthlyQuota: __, suspended: ___, ...account }: AccountJson,
  edit: AccountEditJson,
): AccountJson {
  return { ...account, ...edit };
}

/** The account with changes, of which null means the default. */
export function changeAccount(account: Account, changes: AccountChanges): Account {
  const { monthlyQuota: quotaBefore, suspended: suspendedBefore, ...rest } = account;
  const { name = account.name, monthlyQuota = quotaBefore, suspended = suspendedBefore } = changes;
  return {
    ...rest,
    name,
    ...(typeof monthlyQuota === 'number' && { monthlyQuota }),
    ...(suspended && { suspended }),
  };
}

export function toTokenJson({ id, accountId, tokenHash, name, scope, created }: Token): TokenJson {
  return {
    id,
    accountId,
    tokenHash,
    ...(name && { name }),
    ...(scope !== 'all' && { scope }),
    created,
  };
}

/** @param day number of the UTC day of its last use; 0 if it was never used */
export function fromTokenJson(json: TokenJson, day: number): Token {
  const { id, accountId, tokenHash, name = '', scope = 'all', created } = json;
  return { id, accountId, tokenHash, name, scope, created, lastUsedOn: toTime(day) };
}

/** The account's first token; undefined if it was revoked. */
export function firstTokenOf({ id, tokenHash, created }: Account, day: number): Token | undefined {
  if (tokenHash === '') return undefined;
  const lastUsedOn = toTime(day);
  return { id, accountId: id, tokenHash, name: '', scope: 'all', created, lastUsedOn };
}

function toTime(day: number): number | null {
  return day === 0 ? null : day * DAY_MS;
}
