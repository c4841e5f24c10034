import type { Account, AddTokenOutcome, RevokeTokenOutcome, Token } from '../account.ts';
import type { StoredToken } from '../records/account-json.ts';
import { type Decision, unchanged } from './decision.ts';

export type TokenFacts = {
  account: Account | undefined;
  /** All tokens of the account. */
  tokens: readonly StoredToken[];
};

/** See `Store.addToken`. */
export function addToken(
  { lastUsedOn: _, ...token }: Token,
  max: number,
  { account, tokens }: TokenFacts,
): Decision<AddTokenOutcome> {
  if (!account) return unchanged('not_found');
  if (tokens.length >= max) return unchanged('too_many');
  return { outcome: 'added', records: [['token', token.tokenHash, token]] };
}

/** See `Store.revokeToken`. */
export function revokeToken(
  id: string,
  evenIfLast: boolean,
  { account, tokens }: TokenFacts,
): Decision<RevokeTokenOutcome> {
  const token = tokens.find((each) => each.id === id);
  if (!account || !token) return unchanged('not_found');
  const isLast = !tokens.some((each) => each !== token && each.scope === 'all');
  if (!evenIfLast && token.scope === 'all' && isLast) return unchanged('last_token');
  // The account has the hash of its first token.
  const isFirst = token.tokenHash === account.tokenHash;
  return {
    outcome: 'revoked',
    records: isFirst
      ? [['account', account.id, { ...account, tokenHash: '' }]]
      : [['token', token.tokenHash, null]],
  };
}
