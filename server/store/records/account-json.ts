import { DAY_MS } from '../../lib/durations.ts';
import type { Account, AccountChanges, Token } from '../account.ts';

/** An account as JSON, without its id, which is the key of its record. Default values are omitted. */
export type AccountJson = Partial<Omit<Account, 'id' | 'monthlyQuota'>> &
  Pick<Account, 'created'> & { monthlyQuota?: number | 'unlimited' };

/** A token without the day of its last use, which changes on its own. */
export type StoredToken = Omit<Token, 'lastUsedOn'>;

/** A further token as JSON, without its hash, which is the key of its record. */
export type TokenJson = Pick<Token, 'id' | 'accountId' | 'created'> &
  Partial<Pick<Token, 'name' | 'scope'>>;

export function toAccountJson({ id: _, monthlyQuota: quota, ...account }: Account): AccountJson {
  const monthlyQuota = quota === Number.POSITIVE_INFINITY ? 'unlimited' : quota;
  return without('', { ...account, ...(monthlyQuota !== undefined && { monthlyQuota }) });
}

export function fromAccountJson(id: string, { monthlyQuota, ...json }: AccountJson): Account {
  const quota = monthlyQuota === 'unlimited' ? Number.POSITIVE_INFINITY : monthlyQuota;
  const defaults = { id, tokenHash: '', name: '' };
  return { ...defaults, ...json, ...(quota !== undefined && { monthlyQuota: quota }) };
}

/** The account with changes, of which null means the default. */
export function changeAccount(account: Account, changes: AccountChanges): Account {
  return without(null, { ...account, ...changes }) as Account;
}

export function toTokenJson({ tokenHash: _, scope, ...token }: StoredToken): TokenJson {
  return without('', { ...token, ...(scope !== 'all' && { scope }) });
}

export function fromTokenJson(tokenHash: string, json: TokenJson): StoredToken {
  return { tokenHash, name: '', scope: 'all', ...json };
}

/** The members of an object that have another value. */
function without<T extends object>(value: unknown, object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, each]) => each !== value)) as T;
}

/** The account's first token; undefined if it was revoked. */
export function firstTokenOf({ id, tokenHash, created }: Account): StoredToken | undefined {
  if (tokenHash === '') return undefined;
  return { id, accountId: id, tokenHash, name: '', scope: 'all', created };
}

/** @param day number of the UTC day of its last use; undefined if it was never used */
export function withLastUse(token: StoredToken, day: number | undefined): Token {
  return { ...token, lastUsedOn: day === undefined ? null : day * DAY_MS };
}
