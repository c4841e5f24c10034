import {
  type AccountResponse,
  accountResponseSchema,
  type EditOwnAccountRequest,
} from '../accounts/account.ts';
import {
  doneResponseSchema,
  type NewTokenRequest,
  type NewTokenResponse,
  newTokenResponseSchema,
  type TokenInfo,
  tokenListResponseSchema,
} from '../accounts/account-tokens.ts';
import {
  type IdentityProofRequest,
  type IdentityProofResponse,
  type IdentityResponse,
  identityProofResponseSchema,
  identityResponseSchema,
} from '../accounts/identity.ts';
import {
  redeemCodeResponseSchema,
  type SignInCodeResponse,
  signInCodeResponseSchema,
} from '../accounts/sign-in-codes.ts';
import type { Result } from './result.ts';
import type { Transport } from './transport.ts';

export function accountMethods({ callForData }: Transport) {
  return {
    /** `GET /api/account`: quota and rate limit of the token's account. */
    getAccount(token: string): Promise<Result<AccountResponse['data']>> {
      return callForData({ path: '/api/account', token }, accountResponseSchema);
    },

    /** `PATCH /api/account`: the domain of links that name none. */
    editAccount(
      token: string,
      body: EditOwnAccountRequest,
    ): Promise<Result<AccountResponse['data']>> {
      const request = { method: 'PATCH', path: '/api/account', token, body } as const;
      return callForData(request, accountResponseSchema);
    },

    /** `GET /api/account/tokens`: all tokens, oldest first. */
    listTokens(token: string): Promise<Result<TokenInfo[]>> {
      return callForData({ path: '/api/account/tokens', token }, tokenListResponseSchema);
    },

    /** `POST /api/account/tokens`: the result has the new token, which cannot be read again. */
    createToken(token: string, body: NewTokenRequest): Promise<Result<NewTokenResponse['data']>> {
      const path = '/api/account/tokens';
      return callForData({ method: 'POST', path, token, body }, newTokenResponseSchema);
    },

    /**
     * `DELETE /api/account/tokens/:id`.
     *
     * @param evenIfLast also if no token with the scope `all` would be left
     */
    revokeToken(token: string, id: string, evenIfLast = false): Promise<Result<null>> {
      const path = `/api/account/tokens/${encodeURIComponent(id)}`;
      const query = { confirm: evenIfLast ? 'last' : undefined };
      return callForData({ method: 'DELETE', path, query, token }, doneResponseSchema);
    },

    /** `POST /api/account/sign-in-codes`: an address that signs in once. */
    createSignInCode(token: string): Promise<Result<SignInCodeResponse['data']>> {
      const path = '/api/account/sign-in-codes';
      return callForData({ method: 'POST', path, token }, signInCodeResponseSchema);
    },

    /** `POST /api/sign-in-codes/redeem`. @param name of the new token: the browser */
    redeemSignInCode(code: string, name: string): Promise<Result<{ token: string }>> {
      const path = '/api/sign-in-codes/redeem';
      return callForData({ method: 'POST', path, body: { code, name } }, redeemCodeResponseSchema);
    },

    /** `DELETE /api/account`: erases the account and everything in it. */
    deleteAccount(token: string): Promise<Result<null>> {
      const body = { confirm: 'delete' };
      return callForData(
        { method: 'DELETE', path: '/api/account', token, body },
        doneResponseSchema,
      );
    },
  };
}

/** Returns the methods by which a client recognizes a server that it has a token of. */
export function proofMethods({ callForData }: Transport) {
  return {
    /** `POST /api/identity/proof`: proves that the server has the account of a token, which is not sent. */
    proveIdentity(body: IdentityProofRequest): Promise<Result<IdentityProofResponse['data']>> {
      const path = '/api/identity/proof';
      return callForData({ method: 'POST', path, body }, identityProofResponseSchema);
    },
  };
}

/** Returns the methods of single sign-on, for pages of the server itself. */
export function identityMethods({ callForData }: Transport) {
  return {
    /** `GET /api/identity`: who the proxy says you are. */
    getIdentity(): Promise<Result<IdentityResponse['data']>> {
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
