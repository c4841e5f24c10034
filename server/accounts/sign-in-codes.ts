import { newId } from '../lib/random-bytes.ts';
import { rateLimited, ServiceError } from '../lib/service-error.ts';
import { MINUTE_MS } from '../lib/time.ts';
import type { ClientAddress } from '../limits/client-address.ts';
import { addressKey } from '../limits/limit-counter.ts';
import type { Limits } from '../limits/limits.ts';
import type { Authorization, Token } from '../store/account.ts';
import { hashToken, newToken, type TokenDependencies } from './tokens.ts';

/** Of 16 bytes in base64url. */
const CODE = /^[\w-]{22}$/;
const CODE_BYTES = 16;
const LIFETIME_MS = 10 * MINUTE_MS;

type NewCode = { accountId: string; by: Authorization; token: Pick<Token, 'tokenHash'> };

/**
 * Makes a code with which another browser signs in to the account once, within 10 minutes: so an address that is
 * in a history, a log or a picture is worth nothing.
 *
 * @throws ServiceError `invalid_token`, and see `authorize`
 */
export async function createSignInCode(
  { accountId, by, token }: NewCode,
  { store, clock, randomBytes }: TokenDependencies,
): Promise<{ code: string; expires: number }> {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  const created = clock();
  const expires = created + LIFETIME_MS;
  const outcome = await store.addSignInCode({
    by,
    code: {
      id: newId(randomBytes),
      accountId,
      tokenHash: hashToken(code),
      name: '',
      scope: 'all',
      created,
      lastUsedOn: null,
      signIn: { expires, by: token.tokenHash },
    },
  });
  if (outcome === 'added') return { code, expires };
  throw new ServiceError('invalid_token', 'The account was deleted.');
}

type Redeem = { code: string; name: string; address: ClientAddress };

/**
 * Returns a function that makes a new token of a code, which works once. A code that nobody has made, that was
 * used or has expired, and one of an account that is deleted or suspended are the same to it.
 *
 * @throws ServiceError `code_invalid`, `too_many_tokens`, `rate_limited`
 */
export function createRedeemCode(
  { store, clock, randomBytes }: TokenDependencies,
  limits: Limits,
): (redeem: Redeem) => Promise<string> {
  const attempts = limits.exchanged('sign-in code');

  return async ({ code, name, address }) => {
    const waitMs = attempts.count(addressKey(address), 1);
    if (waitMs > 0) {
      throw rateLimited('Too many codes were tried from this address.', Math.ceil(waitMs / 1000));
    }
    const codeHash = hashToken(code);
    const owner = CODE.test(code) ? await store.findToken(codeHash) : undefined;
    if (!owner) throw invalidCode();
    const token = newToken(randomBytes);
    const outcome = await store.redeemSignInCode({
      codeHash,
      token: {
        id: newId(randomBytes),
        accountId: owner.account.id,
        tokenHash: hashToken(token),
        name,
        scope: owner.token.scope,
        created: clock(),
        lastUsedOn: null,
      },
    });
    switch (outcome) {
      case 'redeemed':
        return token;
      case 'invalid':
        throw invalidCode();
      case 'too_many':
        throw new ServiceError(
          'too_many_tokens',
          'The account has as many tokens as it can have. Revoke one of them first.',
        );
    }
  };
}

function invalidCode(): ServiceError {
  return new ServiceError(
    'code_invalid',
    'This address has been used, or has expired. Make a new one where you are signed in.',
  );
}
