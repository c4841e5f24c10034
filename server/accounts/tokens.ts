import { createHmac, hash } from 'node:crypto';
import type { NewTokenRequest } from '../../shared/accounts/account-tokens.ts';
import { TOKEN_PREFIX } from '../../shared/accounts/token-text.ts';
import { newId, type RandomBytes } from '../lib/random-bytes.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { Clock } from '../lib/time.ts';
import type { NewToken, Token, TokenRevocation } from '../store/account.ts';
import type { Store } from '../store/store.ts';

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = new RegExp(`^${TOKEN_PREFIX}([a-z0-9_-]{43})$`, 'i');

/** Returns `curt_` and 256 random bits in base64url. */
export function newToken(randomBytes: (size: number) => Buffer): string {
  return toToken(randomBytes(TOKEN_BYTES).toString('base64url'));
}

/**
 * Returns the token for an anonymous request with an idempotency key. It is derived from the key and a stored salt,
 * so a retry can return the same token although the token itself is never stored.
 */
export function tokenFromKey(idempotencyKey: string, salt: string, secret: Buffer): string {
  const bits = createHmac('sha256', secret)
    .update(JSON.stringify(['token', idempotencyKey, salt]))
    .digest('base64url');
  return toToken(bits);
}

/** Returns what is stored of a token: its SHA-256 (base64url). With 256 random bits, it needs no salt. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** @returns the token that a client has sent, or null if it is none of Curt's */
export function readToken(sent: string): string | null {
  const bits = TOKEN_PATTERN.exec(sent)?.[1];
  return bits === undefined ? null : toToken(bits);
}

/** A string of its own, neither in parts nor a part of the header: that is slow to write as JSON. */
function toToken(bits: string): string {
  return [TOKEN_PREFIX, bits].join('');
}

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
