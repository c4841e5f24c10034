import type { FastifyInstance } from 'fastify';
import {
  adminDomainListResponseSchema,
  adminDomainResponseSchema,
  domainParamsSchema,
  editDomainRequestSchema,
  newDomainRequestSchema,
  removeDomainQuerySchema,
  removeDomainResponseSchema,
} from '../../../shared/admin/domains.ts';
import { addDomain, editDomain, listDomains } from '../../admin/domains.ts';
import type { AllLinksDependencies } from '../../admin/list-all-links.ts';
import { removeDomain } from '../../admin/remove-domain.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';
import { addRoute } from '../add-route.ts';

const admin = { access: 'admin', tag: 'Administration' } as const;

const list = {
  ...admin,
  operationId: 'adminListDomains',
  summary: 'List domains',
  response: adminDomainListResponseSchema,
} satisfies Endpoint;

const add = {
  ...admin,
  operationId: 'adminAddDomain',
  summary: 'Add a domain',
  description:
    'In use from the next request on. If it was removed before, its links are live again, and fields that are not sent are as they were. A host that exists is a 409.',
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
} satisfies Endpoint;

const edit = {
  ...admin,
  operationId: 'adminEditDomain',
  summary: 'Edit a domain',
  description: 'Absent fields stay as they are. `brand` is replaced as a whole.',
  params: domainParamsSchema,
  body: editDomainRequestSchema,
  examples: { 'Send visitors of unknown links to a page': { notFoundUrl: 'https://example.com/' } },
  response: adminDomainResponseSchema,
  errors: ['not_found', 'invalid_url'],
} satisfies Endpoint;

const remove = {
  ...admin,
  operationId: 'adminRemoveDomain',
  summary: 'Remove a domain',
  description:
    'Deletes no link. One whose alias is taken on the other domain stays, and answers 410. The previous short URLs of moved links lead to them as long as the domain points to this server.',
  params: domainParamsSchema,
  query: removeDomainQuerySchema,
  response: removeDomainResponseSchema,
  errors: ['not_found', 'invalid_request', 'domain_in_use'],
} satisfies Endpoint;

/** `GET` and `POST /api/admin/domains`, `PATCH` and `DELETE /api/admin/domains/:host`. */
export async function adminDomainRoutes(app: FastifyInstance, dependencies: AllLinksDependencies) {
  addRoute(app, 'GET', '/admin/domains', list, async () => {
    return { success: true, message: 'All domains.', data: listDomains(dependencies) };
  });

  addRoute(app, 'POST', '/admin/domains', add, async ({ body, by }) => {
    const data = await addDomain(body, by, dependencies);
    return { success: true, message: 'The domain can be used.', data };
  });

  addRoute(app, 'PATCH', '/admin/domains/:host', edit, async ({ params: { host }, body, by }) => {
    const data = await editDomain(host, body, by, dependencies);
    return { success: true, message: 'The domain was edited.', data };
  });

  addRoute(app, 'DELETE', '/admin/domains/:host', remove, async ({ params, query, by }) => {
    const data = await removeDomain(params.host, query, by, dependencies);
    const message = data.isRemoved
      ? 'The domain was removed.'
      : 'More links are to be moved. Repeat the request.';
    return { success: true, message, data };
  });
}
