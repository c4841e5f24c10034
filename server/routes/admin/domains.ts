import type { FastifyInstance } from 'fastify';
import {
  type AdminDomainListResponse,
  type AdminDomainResponse,
  adminDomainListResponseSchema,
  adminDomainResponseSchema,
  domainParamsSchema,
  editDomainRequestSchema,
  newDomainRequestSchema,
  type RemoveDomainResponse,
  removeDomainQuerySchema,
  removeDomainResponseSchema,
} from '../../../shared/admin/domains.ts';
import { addDomain, editDomain, listDomains } from '../../admin/domains.ts';
import type { AllLinksDependencies } from '../../admin/list-all-links.ts';
import { removeDomain } from '../../admin/remove-domain.ts';
import { parseInput } from '../../lib/parse-input.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';

const admin = { access: 'admin', tag: 'Administration' } as const;

const list: Endpoint = {
  ...admin,
  operationId: 'adminListDomains',
  summary: 'List domains',
  response: adminDomainListResponseSchema,
};

const add: Endpoint = {
  ...admin,
  operationId: 'adminAddDomain',
  summary: 'Add a domain',
  description:
    'In use from the next request on. If it was removed before, its links are live again. A host that exists is a 409.',
  body: newDomainRequestSchema,
  examples: {
    'A domain for everybody': { host: 'go.example' },
    'With its own looks': {
      host: 'shop.example',
      brand: { name: 'The Shop', color: '#0b6b57' },
      rootUrl: 'https://www.shop.example/',
    },
  },
  response: adminDomainResponseSchema,
  errors: ['domain_exists', 'invalid_url'],
};

const edit: Endpoint = {
  ...admin,
  operationId: 'adminEditDomain',
  summary: 'Edit a domain',
  description: 'Absent fields stay as they are. `brand` is replaced as a whole.',
  params: domainParamsSchema,
  body: editDomainRequestSchema,
  examples: { 'Send visitors of unknown links to a page': { notFoundUrl: 'https://example.com/' } },
  response: adminDomainResponseSchema,
  errors: ['not_found', 'invalid_url'],
};

const remove: Endpoint = {
  ...admin,
  operationId: 'adminRemoveDomain',
  summary: 'Remove a domain',
  description:
    'Deletes no link. One whose alias is taken on the other domain stays, and answers 410. The previous short URLs of moved links lead to them as long as the domain points to this server.',
  params: domainParamsSchema,
  query: removeDomainQuerySchema,
  response: removeDomainResponseSchema,
  errors: ['not_found', 'invalid_request', 'domain_in_use'],
};

/** `GET` and `POST /api/admin/domains`, `PATCH` and `DELETE /api/admin/domains/:host`. */
export async function adminDomainRoutes(app: FastifyInstance, dependencies: AllLinksDependencies) {
  app.get(
    '/admin/domains',
    { config: { endpoint: list } },
    async (): Promise<AdminDomainListResponse> => {
      return { success: true, message: 'All domains.', data: listDomains(dependencies) };
    },
  );

  app.post(
    '/admin/domains',
    { config: { endpoint: add } },
    async (request): Promise<AdminDomainResponse> => {
      const body = parseInput(newDomainRequestSchema, request.body);
      const data = await addDomain(body, request.authorization, dependencies);
      return { success: true, message: 'The domain can be used.', data };
    },
  );

  app.patch(
    '/admin/domains/:host',
    { config: { endpoint: edit } },
    async (request): Promise<AdminDomainResponse> => {
      const { host } = parseInput(domainParamsSchema, request.params);
      const body = parseInput(editDomainRequestSchema, request.body);
      const data = await editDomain(host, body, request.authorization, dependencies);
      return { success: true, message: 'The domain was edited.', data };
    },
  );

  app.delete(
    '/admin/domains/:host',
    { config: { endpoint: remove } },
    async (request): Promise<RemoveDomainResponse> => {
      const { host } = parseInput(domainParamsSchema, request.params);
      const query = parseInput(removeDomainQuerySchema, request.query);
      const data = await removeDomain(host, query, request.authorization, dependencies);
      const message = data.isRemoved
        ? 'The domain was removed.'
        : 'More links are to be moved. Repeat the request.';
      return { success: true, message, data };
    },
  );
}
