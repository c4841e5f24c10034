import type { FastifyInstance } from 'fastify';
import {
  doneResponseSchema,
  newTokenRequestSchema,
  newTokenResponseSchema,
  revokeTokenQuerySchema,
  type TokenInfo,
  tokenListResponseSchema,
  tokenParamsSchema,
} from '../../../shared/accounts/account-tokens.ts';
import { createToken, revokeToken, type TokenDependencies } from '../../accounts/account-tokens.ts';
import type { Token } from '../../store/account.ts';
import { type Endpoint, ownerOf } from '../../web/plugins/endpoint.ts';
import { addRoute } from '../add-route.ts';

const list = {
  access: 'all',
  tag: 'Account',
  operationId: 'listTokens',
  summary: 'List the tokens of the account',
  response: tokenListResponseSchema,
} satisfies Endpoint;

const create = {
  access: 'all',
  tag: 'Account',
  operationId: 'createToken',
  summary: 'Create a token',
  description: 'The response has the token itself, which cannot be read again.',
  body: newTokenRequestSchema,
  examples: { 'A token that can only create links': { name: 'CI', scope: 'create' } },
  response: newTokenResponseSchema,
  errors: ['too_many_tokens'],
} satisfies Endpoint;

const revoke = {
  access: 'all',
  tag: 'Account',
  operationId: 'revokeToken',
  summary: 'Revoke a token',
  description: 'Effective at once.',
  params: tokenParamsSchema,
  query: revokeTokenQuerySchema,
  response: doneResponseSchema,
  errors: ['invalid_request', 'not_found', 'last_token'],
} satisfies Endpoint;

/** `GET` and `POST /api/account/tokens`, `DELETE /api/account/tokens/:id`. */
export async function tokenRoutes(app: FastifyInstance, dependencies: TokenDependencies) {
  addRoute(app, 'GET', '/account/tokens', list, async ({ request }) => {
    const { account, tokenInfo } = ownerOf(request);
    const tokens = await dependencies.store.listTokens(account.id);
    const data = tokens.map((token) => toTokenInfo(token, tokenInfo));
    return { success: true, message: 'The tokens of the account.', data };
  });

  addRoute(app, 'POST', '/account/tokens', create, async ({ body, by, request }) => {
    const { account, tokenInfo } = ownerOf(request);
    const { token, info } = await createToken({ accountId: account.id, by, ...body }, dependencies);
    return {
      success: true,
      message: 'The token is ready. Store it: it cannot be shown again.',
      data: { ...toTokenInfo(info, tokenInfo), token },
    };
  });

  addRoute(app, 'DELETE', '/account/tokens/:id', revoke, async ({ params, query, by, request }) => {
    const accountId = ownerOf(request).account.id;
    const evenIfLast = query.confirm === 'last';
    await revokeToken({ id: params.id, accountId, by, evenIfLast }, dependencies);
    return { success: true, message: 'The token is revoked.', data: null };
  });
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
