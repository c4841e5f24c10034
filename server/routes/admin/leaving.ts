import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  adminAccountParamsSchema,
  reassignRequestSchema,
  reassignResponseSchema,
} from '../../../shared/admin/accounts.ts';
import { exportedFileSchema, exportQuerySchema } from '../../../shared/links/transfer.ts';
import { findAccount } from '../../admin/accounts.ts';
import { audited } from '../../admin/audit.ts';
import { reassignLinks } from '../../admin/reassign-links.ts';
import { parseQuery } from '../../lib/parse-input.ts';
import type { ExportDependencies } from '../../links/transfer/export-links.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';
import { addRoute } from '../add-route.ts';
import { sendExport } from '../links/send-export.ts';

const reassign = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminReassignLinks',
  summary: 'Move the links of an account to another one',
  description:
    'Moves up to 1,000 links, deleted ones included, with their aliases and statistics. Repeat the request until `remaining` is 0. They count in the other account from then on, also against the quota of the month in which they were created.',
  params: adminAccountParamsSchema,
  body: reassignRequestSchema,
  examples: { 'Another account': { to: 'bX2mVw8Zs0QdK4Tn' } },
  response: reassignResponseSchema,
  errors: ['not_found'],
} satisfies Endpoint;

const exportLinks = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminExportLinks',
  summary: 'Export all links of an account',
  description: 'Deleted links are left out.',
  params: adminAccountParamsSchema,
  query: exportQuerySchema,
  response: exportedFileSchema,
  otherResponse: { types: ['text/csv'], description: 'A file that can be imported again.' },
  errors: ['not_found'],
} satisfies Endpoint;

/** For a person who leaves: `POST /api/admin/accounts/:id/reassign` and `GET …/:id/export`. */
export async function leavingRoutes(app: FastifyInstance, dependencies: ExportDependencies) {
  addRoute(app, 'POST', '/admin/accounts/:id/reassign', reassign, async ({ params, body, by }) => {
    const data = await reassignLinks({ from: params.id, to: body.to }, by, dependencies);
    const rest = data.remaining > 0 ? `${data.remaining} are left.` : 'None is left.';
    return { success: true, message: `${data.moved} links were moved. ${rest}`, data };
  });

  app.get(
    '/admin/accounts/:id/export',
    { config: { endpoint: exportLinks } },
    async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
      const query = parseQuery(exportQuerySchema, request.query);
      const { id: accountId } = await findAccount(request.params.id, dependencies);
      const { authorization: by } = request;
      const entry = { action: 'account.export', target: accountId, details: query, by } as const;
      const call = { accountId, by, ...query, isForAdministrator: true };
      return audited(dependencies, entry, () => sendExport(reply, call, dependencies));
    },
  );
}
