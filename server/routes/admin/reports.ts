import type { FastifyInstance } from 'fastify';
import { type DoneResponse, doneResponseSchema } from '../../../shared/accounts/account-tokens.ts';
import {
  type ReportsResponse,
  reportParamsSchema,
  reportsQuerySchema,
  reportsResponseSchema,
} from '../../../shared/admin/reports.ts';
import { linkQuerySchema } from '../../../shared/links/link-responses.ts';
import type { AllLinksDependencies } from '../../admin/list-all-links.ts';
import { dismissReports, listReports } from '../../admin/reports.ts';
import { knownDomain } from '../../domains/named-domain.ts';
import { parseInput } from '../../lib/parse-input.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';

const list: Endpoint = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminListReports',
  summary: 'List reported links',
  description: 'What visitors say about them. Links that are blocked by now are left out.',
  query: reportsQuerySchema,
  response: reportsResponseSchema,
  errors: ['invalid_request'],
};

const dismiss: Endpoint = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminDismissReports',
  summary: 'Dismiss the reports of a link',
  description: 'They are erased. The link stays as it is.',
  params: reportParamsSchema,
  query: linkQuerySchema,
  response: doneResponseSchema,
  errors: ['invalid_request', 'invalid_domain', 'not_found'],
};

/** `GET /api/admin/reports`, `DELETE /api/admin/reports/:alias`. */
export async function reportRoutes(app: FastifyInstance, dependencies: AllLinksDependencies) {
  app.get(
    '/admin/reports',
    { config: { endpoint: list } },
    async (request): Promise<ReportsResponse> => {
      const page = await listReports(parseInput(reportsQuerySchema, request.query), dependencies);
      return { success: true, message: 'The reported links.', ...page };
    },
  );

  app.delete(
    '/admin/reports/:alias',
    { config: { endpoint: dismiss } },
    async (request): Promise<DoneResponse> => {
      const { alias } = parseInput(reportParamsSchema, request.params);
      const { domain } = parseInput(linkQuerySchema, request.query);
      const { domains } = dependencies;
      const storedAlias = domains.qualify(knownDomain(domain, domains), alias);
      await dismissReports(storedAlias, request.authorization, dependencies);
      return { success: true, message: 'The reports are dismissed.', data: null };
    },
  );
}
