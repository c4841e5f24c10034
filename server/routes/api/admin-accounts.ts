import type { FastifyInstance } from 'fastify';
import type { AdminToken } from '../../../shared/admin/accounts.ts';
import { LIST_LIMIT_DEFAULT } from '../../../shared/bounds.ts';
import {
  createToken,
  findToken,
  revokeToken,
  type TokenDependencies,
} from '../../accounts/tokens.ts';
import {
  createAccount,
  editAccount,
  findAccount,
  reassignLinks,
  toAdminAccount,
} from '../../admin/accounts.ts';
import { audited } from '../../admin/audit.ts';
import { readPage, toCursor } from '../../admin/cursor.ts';
import type { ExportDependencies } from '../../links/transfer/export-links.ts';
import type { Token } from '../../store/account.ts';
import { toTokenInfo } from './account.ts';
import { addRoutes } from './add-routes.ts';
import { EXPORT, sendExport } from './transfer.ts';

/** Registers `/api/admin/accounts`: accounts, their tokens, and what a person who leaves needs. */
export async function adminAccountRoutes(
  app: FastifyInstance,
  dependencies: TokenDependencies & ExportDependencies,
) {
  const add = addRoutes(app, 'Administration', 'admin');

  const { administration } = dependencies.store;

  add.adminListAccounts(
    {
      summary: 'List and search accounts',
    },
    async ({ query }) => {
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

  add.adminCreateAccount(
    {
      summary: 'Create an account',
      description:
        'The response has its first token, which cannot be read again. This is how people get a token on a server with `ANONYMOUS=off`.',
      examples: {
        'A colleague': { name: 'Ann Example' },
        'A program without a quota': { name: 'Newsletter', monthlyQuota: 'unlimited' },
      },
    },
    async ({ body, by }) => {
      const { account, token } = await createAccount(body, by, dependencies);
      const data = { ...(await toAdminAccount(account, dependencies)), token };
      const message = 'The account is ready. Pass its token on: it cannot be shown again.';
      return { success: true, message, data };
    },
  );

  add.adminGetAccount(
    {
      summary: 'Read an account',
    },
    async ({ params }) => {
      const account = await findAccount(params.id, dependencies);
      const data = await toAdminAccount(account, dependencies);
      return { success: true, message: 'The account.', data };
    },
  );

  add.adminEditAccount(
    {
      summary: 'Rename an account, set its quota, or suspend it',
      description:
        'Absent fields stay as they are. The tokens of a suspended account get `account_suspended`; its links go on.',
      examples: {
        'Another name and quota': { name: 'Ann Example', monthlyQuota: 5000 },
        Suspend: { suspended: { reason: 'Left the company' } },
        'End the suspension, and use the default quota': { suspended: null, monthlyQuota: null },
      },
    },
    async ({ params, body, by }) => {
      const account = await editAccount(params.id, body, by, dependencies);
      const data = await toAdminAccount(account, dependencies);
      return { success: true, message: 'The account is saved.', data };
    },
  );

  add.adminListTokens(
    {
      summary: 'List the tokens of an account',
      description: 'Their names and last uses. The tokens themselves cannot be read.',
    },
    async ({ params }) => {
      const { id } = await findAccount(params.id, dependencies);
      const data = (await dependencies.store.listTokens(id)).map(toAdminToken);
      return { success: true, message: 'The tokens of the account.', data };
    },
  );

  add.adminCreateToken(
    {
      summary: 'Create a token for an account',
      description:
        'For somebody who lost theirs. The response has the token, which cannot be read again.',
      examples: { 'A token that can do everything': { name: 'New laptop', scope: 'all' } },
      errors: ['too_many_tokens'],
    },
    async ({ params, body, by }) => {
      const { id } = await findAccount(params.id, dependencies);
      const entry = { action: 'token.create', target: id, details: body, by } as const;
      const { token, info } = await audited(dependencies, entry, () =>
        createToken({ accountId: id, by, ...body }, dependencies),
      );
      const message = 'The token is ready. Pass it on: it cannot be shown again.';
      return { success: true, message, data: { ...toAdminToken(info), token } };
    },
  );

  add.adminRevokeToken(
    {
      summary: 'Revoke a token of an account',
      description: 'Effective at once, also for the last one: the account can be given another.',
    },
    async ({ params, by }) => {
      const { id } = await findAccount(params.id, dependencies);
      const token = await findToken(id, params.tokenId, dependencies);
      const details = { tokenId: token.id, name: token.name };
      const entry = { action: 'token.revoke', target: id, details, by } as const;
      await audited(dependencies, entry, () =>
        revokeToken({ ...token, by, evenIfLast: true }, dependencies),
      );
      return { success: true, message: 'The token is revoked.', data: null };
    },
  );

  add.adminReassignLinks(
    {
      summary: 'Move the links of an account to another one',
      description:
        'Moves up to 1,000 links, deleted ones included, with their aliases and statistics. Repeat the request until `remaining` is 0. They count in the other account from then on, also against the quota of the month in which they were created.',
      examples: { 'Another account': { to: 'bX2mVw8Zs0QdK4Tn' } },
    },
    async ({ params, body, by }) => {
      const data = await reassignLinks({ from: params.id, to: body.to }, by, dependencies);
      const rest = data.remaining > 0 ? `${data.remaining} are left.` : 'None is left.';
      return { success: true, message: `${data.moved} links were moved. ${rest}`, data };
    },
  );

  add.adminExportLinks(
    {
      ...EXPORT,
      summary: 'Export all links of an account',
      description: 'Deleted links are left out.',
    },
    async ({ params, query, by, reply }) => {
      const { id: accountId } = await findAccount(params.id, dependencies);
      const entry = { action: 'account.export', target: accountId, details: query, by } as const;
      const call = { accountId, by, ...query, isForAdministrator: true };
      return audited(dependencies, entry, () => sendExport(reply, call, dependencies));
    },
  );
}

function toAdminToken(token: Token): AdminToken {
  const { isCurrent: _, ...info } = toTokenInfo(token);
  return info;
}
