import type { FastifyInstance } from 'fastify';
import {
  type NewTokenResponse,
  newTokenResponseSchema,
} from '../../../shared/accounts/account-tokens.ts';
import {
  type IdentityResponse,
  identityResponseSchema,
  identityTokenRequestSchema,
} from '../../../shared/accounts/identity.ts';
import { findAccountOf, signIn } from '../../accounts/sign-in.ts';
import type { Service } from '../../dependencies.ts';
import { parseInput } from '../../http/parse-input.ts';
import type { Endpoint } from '../../plugins/endpoint.ts';
import { type ReadIdentity, requireIdentity } from '../../plugins/identity.ts';
import { toTokenInfo } from './tokens.ts';

const read: Endpoint = {
  access: 'public',
  tag: 'Account',
  operationId: 'getIdentity',
  summary: 'Read who you are',
  description:
    'With single sign-on, the proxy in front of the server knows. Other sites and extensions cannot ask.',
  response: identityResponseSchema,
  errors: ['cross_site', 'not_found'],
};

const create: Endpoint = {
  access: 'identity',
  tag: 'Account',
  operationId: 'signIn',
  summary: 'Sign in',
  description:
    'With single sign-on: creates a token with the scope `all`, and your account with the first one. If the account has 10 tokens of this name, or 60 in total, it replaces the one of this name that has not been used for the longest time.',
  body: identityTokenRequestSchema,
  examples: { 'A token for the extension': { name: 'Extension' } },
  response: newTokenResponseSchema,
  errors: ['not_found', 'account_suspended', 'too_many_tokens'],
};

/** `GET /api/identity`, `POST /api/identity/token`. See docs/single-sign-on.md. */
export async function identityRoutes(
  app: FastifyInstance,
  { service, readIdentity }: { service: Service; readIdentity: ReadIdentity },
) {
  app.get(
    '/identity',
    { config: { endpoint: read } },
    async (request): Promise<IdentityResponse> => {
      const identity = readIdentity(request) ?? null;
      const account = identity === null ? undefined : await findAccountOf(identity, service);
      return {
        success: true,
        message: identity === null ? 'Nobody says who you are.' : `You are ${identity}.`,
        data: { identity, hasAccount: account !== undefined },
      };
    },
  );

  app.post(
    '/identity/token',
    { config: { endpoint: create } },
    async (request): Promise<NewTokenResponse> => {
      const { name } = parseInput(identityTokenRequestSchema, request.body);
      const identity = requireIdentity(readIdentity(request));
      const { token, info } = await signIn(identity, name, service);
      return {
        success: true,
        message: 'The token is ready. Store it: it cannot be shown again.',
        data: { ...toTokenInfo(info), token },
      };
    },
  );
}
