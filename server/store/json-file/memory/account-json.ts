import { DAY_MS } from '../../../core/durations.ts';
import type { Account, Token } from '../../account.ts';

/**
 * The formats of accounts and tokens in files and in memory. Default values are omitted. The id is the
 * first member, because lookups compare the beginning of the text.
 */
export type AccountJson = Pick<Account, 'id' | 'created'> & {
  /** Missing once the first token is revoked. */
  tokenHash?: string;
  name?: string;
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

export function toAccountJson(account: Account): AccountJson {
  const { id, tokenHash, name, identityHash, created } = account;
  return {
    id,
    ...(tokenHash && { tokenHash }),
    ...(name && { name }),
    ...(identityHash && { identityHash }),
    created,
  };
}

export function fromAccountJson(json: AccountJson): Account {
  const { id, tokenHash = '', name = '', identityHash, created } = json;
  return { id, tokenHash, name, ...(identityHash && { identityHash }), created };
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
