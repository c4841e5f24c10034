import type { FastifyInstance } from 'fastify';
import {
  adminLinkCountQuerySchema,
  adminLinkCountResponseSchema,
  adminLinkListQuerySchema,
  adminLinkListResponseSchema,
} from '../../../shared/admin/links.ts';
import {
  type AllLinksDependencies,
  countAllLinks,
  listAllLinks,
} from '../../admin/list-all-links.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';
import { addRoute } from '../add-route.ts';

const list = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminListLinks',
  summary: 'List and search the links of all accounts',
  description: 'For example those to a host, with `host`.',
  query: adminLinkListQuerySchema,
  response: adminLinkListResponseSchema,
  errors: ['invalid_request'],
} satisfies Endpoint;

const count = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminCountLinks',
  summary: 'Count the links of all accounts',
  description: 'For example those that a block of their host would affect, with `host`.',
  query: adminLinkCountQuerySchema,
  response: adminLinkCountResponseSchema,
  errors: ['invalid_request'],
} satisfies Endpoint;

/** `GET /api/admin/links` and `GET /api/admin/links/count`. */
export async function allLinksRoutes(app: FastifyInstance, dependencies: AllLinksDependencies) {
  addRoute(app, 'GET', '/admin/links', list, async ({ query }) => {
    const page = await listAllLinks(query, dependencies);
    return { success: true, message: 'The links of all accounts.', ...page };
  });

  addRoute(app, 'GET', '/admin/links/count', count, async ({ query }) => {
    const data = await countAllLinks(query, dependencies);
    return { success: true, message: 'The count.', data };
  });
}
