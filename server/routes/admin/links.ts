import type { FastifyInstance } from 'fastify';
import {
  type AdminLinkCountResponse,
  type AdminLinkListResponse,
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
import { parseInput } from '../../lib/parse-input.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';

const list: Endpoint = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminListLinks',
  summary: 'List and search the links of all accounts',
  description: 'For example those to a host, with `host`.',
  query: adminLinkListQuerySchema,
  response: adminLinkListResponseSchema,
  errors: ['invalid_request'],
};

const count: Endpoint = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminCountLinks',
  summary: 'Count the links of all accounts',
  description: 'For example those that a block of their host would affect, with `host`.',
  query: adminLinkCountQuerySchema,
  response: adminLinkCountResponseSchema,
  errors: ['invalid_request'],
};

/** `GET /api/admin/links` and `GET /api/admin/links/count`. */
export async function allLinksRoutes(app: FastifyInstance, dependencies: AllLinksDependencies) {
  app.get(
    '/admin/links',
    { config: { endpoint: list } },
    async (request): Promise<AdminLinkListResponse> => {
      const query = parseInput(adminLinkListQuerySchema, request.query);
      const page = await listAllLinks(query, dependencies);
      return { success: true, message: 'The links of all accounts.', ...page };
    },
  );

  app.get(
    '/admin/links/count',
    { config: { endpoint: count } },
    async (request): Promise<AdminLinkCountResponse> => {
      const query = parseInput(adminLinkCountQuerySchema, request.query);
      return {
        success: true,
        message: 'The count.',
        data: await countAllLinks(query, dependencies),
      };
    },
  );
}
