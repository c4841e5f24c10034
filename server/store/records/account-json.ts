import { DAY_MS } from '../../lib/durations.ts';
import type { Account, AccountChanges, Suspension, Token } from '../account.ts';

/** An account as JSON, without its id, which is the key of its record. Default values are omitted. */
export type AccountJson = Pick<Account, 'created'> & {
  /** Missing once the first token is revoked. */
  tokenHash?: string;
  name?: string;
  monthlyQuota?: number | 'unlimited';
  suspended?: Suspension;
  domain?: string;
  identityHash?: string;
};

/** A token without the day of its last use, which changes on its own. */
export type StoredToken = Omit<Token, 'lastUsedOn'>;

/** A further token as JSON, without its hash, which is the key of its record. */
export type TokenJson = Pick<Token, 'id' | 'accountId' | 'created'> &
  Partial<Pick<Token, 'name' | 'scope'>>;

export function toAccountJson(account: Account): AccountJson {
  const { name, tokenHash, identityHash, created, monthlyQuota, suspended, domain } = account;
  const isUnlimited = monthlyQuota === Number.POSITIVE_INFINITY;
  return {
    ...(name && { name }),
    ...(monthlyQuota !== undefined && { monthlyQuota: isUnlimited ? 'unlimited' : monthlyQuota }),
    ...(suspended && { suspended }),
    ...(domain && { domain }),
    ...(tokenHash && { tokenHash }),
    ...(identityHash && { identityHash }),
    created,
  };
}

export function fromAccountJson(id: string, json: AccountJson): Account {
  const {
    tokenHash = '',
    name = '',
    identityHash,
    created,
    monthlyQuota,
    suspended,
    domain,
  } = json;
  const quota = monthlyQuota === 'unlimited' ? Number.POSITIVE_INFINITY : monthlyQuota;
  return {
    id,
    tokenHash,
    name,
    ...(identityHash && { identityHash }),
    created,
    ...(quota !== undefined && { monthlyQuota: quota }),
    ...(suspended && { suspended }),
    ...(domain && { domain }),
  };
}

/** The account with changes, of which null means the default. */
export function changeAccount(account: Account, changes: AccountChanges): Account {
  const {
    monthlyQuota: quotaBefore,
    suspended: suspendedBefore,
    domain: before,
    ...rest
  } = account;
  const { name = account.name, monthlyQuota = quotaBefore, suspended = suspendedBefore } = changes;
  const { domain = before } = changes;
  return {
    ...rest,
    name,
    ...(typeof monthlyQuota === 'number' && { monthlyQuota }),
    ...(suspended && { suspended }),
    ...(domain && { domain }),
  };
}

export function toTokenJson({ id, accountId, name, scope, created }: StoredToken): TokenJson {
  return { id, accountId, ...(name && { name }), ...(scope !== 'all' && { scope }), created };
}

export function fromTokenJson(tokenHash: string, json: TokenJson): StoredToken {
  const { id, accountId, name = '', scope = 'all', created } = json;
  return { id, accountId, tokenHash, name, scope, created };
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
