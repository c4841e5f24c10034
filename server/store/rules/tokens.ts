import { TOKENS_MAX } from '../../../shared/limits.ts';
import type { AddTokenOutcome, NewToken, RevokeTokenOutcome, TokenRevocation } from '../account.ts';
import { authorized } from './authorized.ts';
import { type Change, unchanged } from './change.ts';

const tokens = () => ({ withTokens: true });

/** See `Store.addToken`. */
export function addToken({ token, by, max = TOKENS_MAX }: NewToken): Change<AddTokenOutcome> {
  const { lastUsedOn: _, ...stored } = token;
  const { accountId, tokenHash } = token;
  return authorized(by, accountId, tokens, (view) => {
    if (!view.get('account', accountId)) return unchanged('not_found');
    if (view.tokens(accountId).length >= max) return unchanged('too_many');
    return { outcome: 'added', records: [['token', tokenHash, stored]] };
  });
}

/** See `Store.revokeToken`. */
export function revokeToken({
  id,
  accountId,
  by,
  evenIfLast,
}: TokenRevocation): Change<RevokeTokenOutcome> {
  return authorized(by, accountId, tokens, (view) => {
    const account = view.get('account', accountId);
    const all = view.tokens(accountId);
    const token = all.find((each) => each.id === id);
    if (!account || !token) return unchanged('not_found');
    const isLast = !all.some((each) => each !== token && each.scope === 'all');
    if (!evenIfLast && token.scope === 'all' && isLast) return unchanged('last_token');
    // The account has the hash of its first token.
    const isFirst = token.tokenHash === account.tokenHash;
    return {
      outcome: 'revoked',
      records: isFirst
        ? [['account', account.id, { ...account, tokenHash: '' }]]
        : [['token', token.tokenHash, null]],
    };
  });
}
