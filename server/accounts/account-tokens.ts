import type { NewTokenRequest } from '../../shared/accounts/account-tokens.ts';
import { TOKENS_MAX } from '../../shared/limits.ts';
import type { Service } from '../core/context.ts';
import { newId } from '../core/random-bytes.ts';
import { ServiceError } from '../core/service-error.ts';
import type { Token } from '../store/account.ts';
import { hashToken, newToken } from './tokens.ts';

/**
 * Adds a token to the account.
 *
 * @param max how many the account can have
 * @throws ServiceError `too_many_tokens`, `invalid_token`
 */
export async function createToken(
  accountId: string,
  { name, scope }: NewTokenRequest,
  { store, clock, randomBytes }: Service,
  max = TOKENS_MAX,
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
  switch (await store.addToken(info, max)) {
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
  { store }: Pick<Service, 'store'>,
): Promise<Token> {
  const token = (await store.listTokens(accountId)).find((each) => each.id === id);
  if (!token) throw unknownToken();
  return token;
}

/** Revokes a token at once. @throws ServiceError `not_found`, `last_token` */
export async function revokeToken(
  token: Pick<Token, 'id' | 'accountId'>,
  evenIfLast: boolean,
  { store }: Service,
): Promise<void> {
  switch (await store.revokeToken(token, evenIfLast)) {
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
