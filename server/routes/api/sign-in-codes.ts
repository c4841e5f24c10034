import type { FastifyInstance } from 'fastify';
import { createRedeemCode, createSignInCode } from '../../accounts/sign-in-codes.ts';
import type { TokenDependencies } from '../../accounts/tokens.ts';
import type { Domains } from '../../domains/short-domains.ts';
import type { Limits } from '../../limits/limits.ts';
import { isoTime } from '../../links/to-link-record.ts';
import { ownerOf } from '../../web/plugins/endpoint.ts';
import { addRoutes } from './add-routes.ts';

type Dependencies = TokenDependencies & { domains: Domains; limits: Limits };

/** Registers `POST /api/account/sign-in-codes` and `POST /api/sign-in-codes/redeem`. */
export async function signInCodeRoutes(
  app: FastifyInstance,
  { limits, ...dependencies }: Dependencies,
) {
  const redeem = createRedeemCode(dependencies, limits);
  const add = addRoutes(app, 'Account', 'all');

  add.createSignInCode(
    {
      summary: 'Make an address that signs in',
      description:
        'For another browser or device: opened within 10 minutes, it signs in once, with a token of its own. It stops working if the token of this request is revoked.',
    },
    async ({ by, request }) => {
      const { account, tokenInfo } = ownerOf(request);
      const call = { accountId: account.id, by, token: tokenInfo };
      const { code, expires } = await createSignInCode(call, dependencies);
      const url = `${dependencies.domains.first.baseUrl}/dashboard#code=${code}`;
      const message = 'Open the address in the other browser within 10 minutes.';
      return { success: true, message, data: { url, expiresAt: isoTime(expires) } };
    },
  );

  add.redeemSignInCode(
    {
      access: 'public',
      summary: 'Sign in by an address',
      description:
        'Makes a new token of the account, once. Counts like passwords of links: 30 requests an hour from an address.',
      examples: { 'A code from an address': { code: 'MDEyMzQ1Njc4OWFiY2RlZg', name: 'Firefox' } },
      errors: ['code_invalid', 'too_many_tokens'],
    },
    async ({ body: { code, name = '' }, request }) => {
      const { address } = request.caller;
      const token = await redeem({ code, name, address });
      const message = 'The token is ready. Store it: it cannot be shown again.';
      return { success: true, message, data: { token } };
    },
  );
}
