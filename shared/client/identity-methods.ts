import { type NewTokenResponse, newTokenResponseSchema } from '../accounts/account-tokens.ts';
import { type IdentityResponse, identityResponseSchema } from '../accounts/identity.ts';
import type { Result } from './result.ts';
import type { Transport } from './transport.ts';

/** Single sign-on, for pages of the server itself. */
export function identityMethods({ callForData }: Transport) {
  return {
    /** `GET /api/identity`: who the proxy says you are. */
    identity(): Promise<Result<IdentityResponse['data']>> {
      const path = '/api/identity';
      return callForData({ path, credentials: 'same-origin' }, identityResponseSchema);
    },

    /** `POST /api/identity/token`: a new token of your account, which this creates if you have none. */
    signIn(name: string): Promise<Result<NewTokenResponse['data']>> {
      const path = '/api/identity/token';
      return callForData(
        { method: 'POST', path, body: { name }, credentials: 'same-origin' },
        newTokenResponseSchema,
      );
    },
  };
}
