import type { FastifyInstance } from 'fastify';
import { doneResponseSchema } from '../../../shared/accounts/account-tokens.ts';
import {
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
import { addRoute } from '../add-route.ts';

const list = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminListReports',
  summary: 'List reported links',
  description: 'What visitors say about them. Links that are blocked by now are left out.',
  query: reportsQuerySchema,
  response: reportsResponseSchema,
  errors: ['invalid_request'],
} satisfies Endpoint;

const dismiss = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminDismissReports',
  summary: 'Dismiss the reports of a link',
  description: 'They are erased. The link stays as it is.',
  params: reportParamsSchema,
  query: linkQuerySchema,
  response: doneResponseSchema,
  errors: ['invalid_request', 'invalid_domain', 'not_found'],
} satisfies Endpoint;

/** `GET /api/admin/reports`, `DELETE /api/admin/reports/:alias`. */
export async function reportRoutes(app: FastifyInstance, dependencies: AllLinksDependencies) {
  const { domains } = dependencies;

  addRoute(app, 'GET', '/admin/reports', list, async ({ query }) => {
    const page = await listReports(query, dependencies);
    return { success: true, message: 'The reported links.', ...page };
  });

  addRoute(app, 'DELETE', '/admin/reports/:alias', dismiss, async ({ params, query, by }) => {
    const { alias } = parseInput(reportParamsSchema, params);
    const storedAlias = domains.qualify(knownDomain(query.domain, domains), alias);
    await dismissReports(storedAlias, by, dependencies);
    return { success: true, message: 'The reports are dismissed.', data: null };
  });
}
