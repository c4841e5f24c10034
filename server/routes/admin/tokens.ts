import type { FastifyInstance } from 'fastify';
import { doneResponseSchema } from '../../../shared/accounts/account-tokens.ts';
import { adminAccountParamsSchema } from '../../../shared/admin/accounts.ts';
import {
  type AdminToken,
  adminTokenListResponseSchema,
  adminTokenParamsSchema,
  adminTokenRequestSchema,
  newAdminTokenResponseSchema,
} from '../../../shared/admin/tokens.ts';
import {
  createToken,
  findToken,
  revokeToken,
  type TokenDependencies,
} from '../../accounts/account-tokens.ts';
import { findAccount } from '../../admin/accounts.ts';
import { audited } from '../../admin/audit.ts';
import type { Token } from '../../store/account.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';
import { toTokenInfo } from '../account/tokens.ts';
import { addRoute } from '../add-route.ts';

const admin = { access: 'admin', tag: 'Administration' } as const;

const list = {
  ...admin,
  operationId: 'adminListTokens',
  summary: 'List the tokens of an account',
  description: 'Their names and last uses. The tokens themselves cannot be read.',
  params: adminAccountParamsSchema,
  response: adminTokenListResponseSchema,
  errors: ['not_found'],
} satisfies Endpoint;

const create = {
  ...admin,
  operationId: 'adminCreateToken',
  summary: 'Create a token for an account',
  description:
    'For somebody who lost theirs. The response has the token, which cannot be read again.',
  params: adminAccountParamsSchema,
  body: adminTokenRequestSchema,
  examples: { 'A token that can do everything': { name: 'New laptop', scope: 'all' } },
  response: newAdminTokenResponseSchema,
  errors: ['not_found', 'too_many_tokens'],
} satisfies Endpoint;

const revoke = {
  ...admin,
  operationId: 'adminRevokeToken',
  summary: 'Revoke a token of an account',
  description: 'Effective at once, also for the last one: the account can be given another.',
  params: adminTokenParamsSchema,
  response: doneResponseSchema,
  errors: ['not_found'],
} satisfies Endpoint;

/** `GET` and `POST /api/admin/accounts/:id/tokens`, `DELETE …/:id/tokens/:tokenId`. */
export async function adminTokenRoutes(app: FastifyInstance, dependencies: TokenDependencies) {
  addRoute(app, 'GET', '/admin/accounts/:id/tokens', list, async ({ params }) => {
    const { id } = await findAccount(params.id, dependencies);
    const data = (await dependencies.store.listTokens(id)).map(toAdminToken);
    return { success: true, message: 'The tokens of the account.', data };
  });

  addRoute(app, 'POST', '/admin/accounts/:id/tokens', create, async ({ params, body, by }) => {
    const { id } = await findAccount(params.id, dependencies);
    const entry = { action: 'token.create', target: id, details: body, by } as const;
    const { token, info } = await audited(dependencies, entry, () =>
      createToken({ accountId: id, by, ...body }, dependencies),
    );
    const message = 'The token is ready. Pass it on: it cannot be shown again.';
    return { success: true, message, data: { ...toAdminToken(info), token } };
  });

  addRoute(app, 'DELETE', '/admin/accounts/:id/tokens/:tokenId', revoke, async ({ params, by }) => {
    const { id } = await findAccount(params.id, dependencies);
    const token = await findToken(id, params.tokenId, dependencies);
    const details = { tokenId: token.id, name: token.name };
    const entry = { action: 'token.revoke', target: id, details, by } as const;
    await audited(dependencies, entry, () =>
      revokeToken({ ...token, by, evenIfLast: true }, dependencies),
    );
    return { success: true, message: 'The token is revoked.', data: null };
  });
}

function toAdminToken(token: Token): AdminToken {
  const { isCurrent: _, ...info } = toTokenInfo(token);
  return info;
}
