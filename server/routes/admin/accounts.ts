import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type AdminAccountListResponse,
  type AdminAccountResponse,
  adminAccountListQuerySchema,
  adminAccountListResponseSchema,
  adminAccountParamsSchema,
  adminAccountResponseSchema,
  editAccountRequestSchema,
  type NewAccountResponse,
  newAccountRequestSchema,
  newAccountResponseSchema,
} from '../../../shared/admin/accounts.ts';
import { LIST_LIMIT_DEFAULT } from '../../../shared/limits.ts';
import type { TokenDependencies } from '../../accounts/account-tokens.ts';
import { createAccount, editAccount, findAccount, toAdminAccount } from '../../admin/accounts.ts';
import { readPage, toCursor } from '../../admin/cursor.ts';
import { parseInput } from '../../lib/parse-input.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';

const admin = { access: 'admin', tag: 'Administration' } as const;

const list: Endpoint = {
  ...admin,
  operationId: 'adminListAccounts',
  summary: 'List and search accounts',
  query: adminAccountListQuerySchema,
  response: adminAccountListResponseSchema,
  errors: ['invalid_request'],
};

const create: Endpoint = {
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
};

const read: Endpoint = {
  ...admin,
  operationId: 'adminGetAccount',
  summary: 'Read an account',
  params: adminAccountParamsSchema,
  response: adminAccountResponseSchema,
  errors: ['not_found'],
};

const edit: Endpoint = {
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
};

export type AccountRequest = FastifyRequest<{ Params: { id: string } }>;

/** `GET` and `POST /api/admin/accounts`, `GET` and `PATCH …/:id`. */
export async function accountRoutes(app: FastifyInstance, dependencies: TokenDependencies) {
  const { administration } = dependencies.store;

  app.get(
    '/admin/accounts',
    { config: { endpoint: list } },
    async (request): Promise<AdminAccountListResponse> => {
      const query = parseInput(adminAccountListQuerySchema, request.query);
      const { limit = LIST_LIMIT_DEFAULT, cursor, q } = query;
      const { accounts, next } = await readPage(cursor, (after) =>
        administration.listAccounts({ limit, after, search: q || null }),
      );
      const data = await Promise.all(
        accounts.map((account) => toAdminAccount(account, dependencies)),
      );
      return { success: true, message: 'The accounts.', data, nextCursor: toCursor(next) };
    },
  );

  app.post(
    '/admin/accounts',
    { config: { endpoint: create } },
    async (request): Promise<NewAccountResponse> => {
      const body = parseInput(newAccountRequestSchema, request.body);
      const { account, token } = await createAccount(body, request.authorization, dependencies);
      const data = { ...(await toAdminAccount(account, dependencies)), token };
      const message = 'The account is ready. Pass its token on: it cannot be shown again.';
      return { success: true, message, data };
    },
  );

  app.get(
    '/admin/accounts/:id',
    { config: { endpoint: read } },
    async (request: AccountRequest): Promise<AdminAccountResponse> => {
      const account = await findAccount(request.params.id, dependencies);
      const data = await toAdminAccount(account, dependencies);
      return { success: true, message: 'The account.', data };
    },
  );

  app.patch(
    '/admin/accounts/:id',
    { config: { endpoint: edit } },
    async (request: AccountRequest): Promise<AdminAccountResponse> => {
      const body = parseInput(editAccountRequestSchema, request.body);
      const account = await editAccount(
        request.params.id,
        body,
        request.authorization,
        dependencies,
      );
      const data = await toAdminAccount(account, dependencies);
      return { success: true, message: 'The account is saved.', data };
    },
  );
}
