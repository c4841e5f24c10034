import type { NewTokenRequest } from '../../shared/accounts/account-tokens.ts';
import type { Clock } from '../lib/clock.ts';
import { newId, type RandomBytes } from '../lib/random-bytes.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { NewToken, Token, TokenRevocation } from '../store/account.ts';
import type { Store } from '../store/store.ts';
import { hashToken, newToken } from './tokens.ts';

export type TokenDependencies = { store: Store; clock: Clock; randomBytes: RandomBytes };

type CreateCall = NewTokenRequest & Omit<NewToken, 'token'> & { accountId: string };

/**
 * Adds a token to the account.
 *
 * @throws ServiceError `too_many_tokens`, `invalid_token`, and see `authorize`
 */
export async function createToken(
  { accountId, name, scope, ...options }: CreateCall,
  { store, clock, randomBytes }: TokenDependencies,
): Promise<{ token: string; info: Token }> {
  const token = newToken(randomBytes);
  const info: Token = {
    id: newId(randomBytes),
    accountId,
    tokenHash: hashToken(token),
    name,
    scope,
    created: clock(),
    lastUsedOn: null,
  };
  switch (await store.addToken({ token: info, ...options })) {
    case 'added':
      return { token, info };
    case 'not_found':
      throw new ServiceError('invalid_token', 'The account was deleted.');
    case 'too_many':
      throw new ServiceError(
        'too_many_tokens',
        'The account has as many tokens as it can have. Revoke one of them first.',
      );
  }
}

/** @throws ServiceError `not_found` */
export async function findToken(
  accountId: string,
  id: string,
  { store }: Pick<TokenDependencies, 'store'>,
): Promise<Token> {
  const token = (await store.listTokens(accountId)).find((each) => each.id === id);
  if (!token) throw unknownToken();
  return token;
}

/** Revokes a token at once. @throws ServiceError `not_found`, `last_token`, and see `authorize` */
export async function revokeToken(
  revocation: TokenRevocation,
  { store }: Pick<TokenDependencies, 'store'>,
): Promise<void> {
  switch (await store.revokeToken(revocation)) {
    case 'revoked':
      return;
    case 'not_found':
      throw unknownToken();
    case 'last_token':
      throw new ServiceError(
        'last_token',
        'Without this token, nobody could manage the account any more. To revoke it anyway, add "?confirm=last".',
      );
  }
}

function unknownToken(): ServiceError {
  return new ServiceError('not_found', 'The account has no token with this ID.');
}
