import type { FastifyInstance } from 'fastify';
import {
  adminAccountListQuerySchema,
  adminAccountListResponseSchema,
  adminAccountParamsSchema,
  adminAccountResponseSchema,
  editAccountRequestSchema,
  newAccountRequestSchema,
  newAccountResponseSchema,
} from '../../../shared/admin/accounts.ts';
import { LIST_LIMIT_DEFAULT } from '../../../shared/limits.ts';
import type { TokenDependencies } from '../../accounts/account-tokens.ts';
import { createAccount, editAccount, findAccount, toAdminAccount } from '../../admin/accounts.ts';
import { readPage, toCursor } from '../../admin/cursor.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';
import { addRoute } from '../add-route.ts';

const admin = { access: 'admin', tag: 'Administration' } as const;

const list = {
  ...admin,
  operationId: 'adminListAccounts',
  summary: 'List and search accounts',
  query: adminAccountListQuerySchema,
  response: adminAccountListResponseSchema,
  errors: ['invalid_request'],
} satisfies Endpoint;

const create = {
  ...admin,
  operationId: 'adminCreateAccount',
  summary: 'Create an account',
  description:
    'The response has its first token, which cannot be read again. This is how people get a token on a server with `ANONYMOUS=off`.',
  body: newAccountRequestSchema,
  examples: {
    'A colleague': { name: 'Ann Example' },
    'A program without a quota': { name: 'Newsletter', monthlyQuota: 'unlimited' },
  },
  response: newAccountResponseSchema,
} satisfies Endpoint;

const read = {
  ...admin,
  operationId: 'adminGetAccount',
  summary: 'Read an account',
  params: adminAccountParamsSchema,
  response: adminAccountResponseSchema,
  errors: ['not_found'],
} satisfies Endpoint;

const edit = {
  ...admin,
  operationId: 'adminEditAccount',
  summary: 'Rename an account, set its quota, or suspend it',
  description:
    'Absent fields stay as they are. The tokens of a suspended account get `account_suspended`; its links go on.',
  params: adminAccountParamsSchema,
  body: editAccountRequestSchema,
  examples: {
    'Another name and quota': { name: 'Ann Example', monthlyQuota: 5000 },
    Suspend: { suspended: { reason: 'Left the company' } },
    'End the suspension, and use the default quota': { suspended: null, monthlyQuota: null },
  },
  response: adminAccountResponseSchema,
  errors: ['not_found'],
} satisfies Endpoint;

/** `GET` and `POST /api/admin/accounts`, `GET` and `PATCH …/:id`. */
export async function accountRoutes(app: FastifyInstance, dependencies: TokenDependencies) {
  const { administration } = dependencies.store;

  addRoute(app, 'GET', '/admin/accounts', list, async ({ query }) => {
    const { limit = LIST_LIMIT_DEFAULT, cursor, q } = query;
    const { accounts, next } = await readPage(cursor, (after) =>
      administration.listAccounts({ limit, after, search: q || null }),
    );
    const data = await Promise.all(
      accounts.map((account) => toAdminAccount(account, dependencies)),
    );
    return { success: true, message: 'The accounts.', data, nextCursor: toCursor(next) };
  });

  addRoute(app, 'POST', '/admin/accounts', create, async ({ body, by }) => {
    const { account, token } = await createAccount(body, by, dependencies);
    const data = { ...(await toAdminAccount(account, dependencies)), token };
    const message = 'The account is ready. Pass its token on: it cannot be shown again.';
    return { success: true, message, data };
  });

  addRoute(app, 'GET', '/admin/accounts/:id', read, async ({ params }) => {
    const account = await findAccount(params.id, dependencies);
    const data = await toAdminAccount(account, dependencies);
    return { success: true, message: 'The account.', data };
  });

  addRoute(app, 'PATCH', '/admin/accounts/:id', edit, async ({ params, body, by }) => {
    const account = await editAccount(params.id, body, by, dependencies);
    const data = await toAdminAccount(account, dependencies);
    return { success: true, message: 'The account is saved.', data };
  });
}
