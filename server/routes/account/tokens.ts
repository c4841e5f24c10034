import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type DoneResponse,
  doneResponseSchema,
  type NewTokenResponse,
  newTokenRequestSchema,
  newTokenResponseSchema,
  revokeTokenQuerySchema,
  type TokenInfo,
  type TokenListResponse,
  tokenListResponseSchema,
  tokenParamsSchema,
} from '../../../shared/accounts/account-tokens.ts';
import { createToken, revokeToken, type TokenDependencies } from '../../accounts/account-tokens.ts';
import { parseInput } from '../../lib/parse-input.ts';
import type { Token } from '../../store/account.ts';
import { type Endpoint, ownerOf } from '../../web/plugins/endpoint.ts';

const list: Endpoint = {
  access: 'all',
  tag: 'Account',
  operationId: 'listTokens',
  summary: 'List the tokens of the account',
  response: tokenListResponseSchema,
};

const create: Endpoint = {
  access: 'all',
  tag: 'Account',
  operationId: 'createToken',
  summary: 'Create a token',
  description: 'The response has the token itself, which cannot be read again.',
  body: newTokenRequestSchema,
  examples: { 'A token that can only create links': { name: 'CI', scope: 'create' } },
  response: newTokenResponseSchema,
  errors: ['too_many_tokens'],
};

const revoke: Endpoint = {
  access: 'all',
  tag: 'Account',
  operationId: 'revokeToken',
  summary: 'Revoke a token',
  description: 'Effective at once.',
  params: tokenParamsSchema,
  query: revokeTokenQuerySchema,
  response: doneResponseSchema,
  errors: ['invalid_request', 'not_found', 'last_token'],
};

/** `GET` and `POST /api/account/tokens`, `DELETE /api/account/tokens/:id`. */
export async function tokenRoutes(app: FastifyInstance, dependencies: TokenDependencies) {
  app.get(
    '/account/tokens',
    { config: { endpoint: list } },
    async (request): Promise<TokenListResponse> => {
      const { account, tokenInfo } = ownerOf(request);
      const tokens = await dependencies.store.listTokens(account.id);
      const data = tokens.map((token) => toTokenInfo(token, tokenInfo));
      return { success: true, message: 'The tokens of the account.', data };
    },
  );

  app.post(
    '/account/tokens',
    { config: { endpoint: create } },
    async (request): Promise<NewTokenResponse> => {
      const { account, tokenInfo } = ownerOf(request);
      const body = parseInput(newTokenRequestSchema, request.body);
      const { token, info } = await createToken(
        { accountId: account.id, by: request.authorization, ...body },
        dependencies,
      );
      return {
        success: true,
        message: 'The token is ready. Store it: it cannot be shown again.',
        data: { ...toTokenInfo(info, tokenInfo), token },
      };
    },
  );

  app.delete(
    '/account/tokens/:id',
    { config: { endpoint: revoke } },
    async (request: FastifyRequest<{ Params: { id: string } }>): Promise<DoneResponse> => {
      const { account } = ownerOf(request);
      const { confirm } = parseInput(revokeTokenQuerySchema, request.query);
      const token = { id: request.params.id, accountId: account.id };
      const evenIfLast = confirm === 'last';
      await revokeToken({ ...token, by: request.authorization, evenIfLast }, dependencies);
      return { success: true, message: 'The token is revoked.', data: null };
    },
  );
}

export function toTokenInfo(
  { id, name, scope, created, lastUsedOn }: Token,
  current?: Token,
): TokenInfo {
  return {
    id,
    name,
    scope,
    created: new Date(created).toISOString(),
    lastUsedOn: lastUsedOn === null ? null : new Date(lastUsedOn).toISOString().slice(0, 10),
    isCurrent: id === current?.id,
  };
}
