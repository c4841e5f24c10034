import type { FastifyInstance } from 'fastify';
import {
  type AdminLinkListResponse,
  adminLinkListQuerySchema,
  adminLinkListResponseSchema,
} from '../../../shared/admin/links.ts';
import { listAllLinks } from '../../admin/list-all-links.ts';
import type { Service } from '../../dependencies.ts';
import { parseInput } from '../../http/parse-input.ts';
import type { Endpoint } from '../../plugins/endpoint.ts';

const endpoint: Endpoint = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminListLinks',
  summary: 'List and search the links of all accounts',
  description: 'For example those to a host, with `host`.',
  query: adminLinkListQuerySchema,
  response: adminLinkListResponseSchema,
  errors: ['invalid_request'],
};

/** `GET /api/admin/links`. */
export async function allLinksRoute(app: FastifyInstance, { service }: { service: Service }) {
  app.get(
    '/admin/links',
    { config: { endpoint } },
    async (request): Promise<AdminLinkListResponse> => {
      const query = parseInput(adminLinkListQuerySchema, request.query);
      const page = await listAllLinks(query, service);
      return { success: true, message: 'The links of all accounts.', ...page };
    },
  );
}
