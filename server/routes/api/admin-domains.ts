import type { FastifyInstance } from 'fastify';
import { addDomain, editDomain, listDomains } from '../../admin/domains.ts';
import type { AllLinksDependencies } from '../../admin/list-all-links.ts';
import { removeDomain } from '../../admin/remove-domain.ts';
import { addRoutes } from './add-routes.ts';

/** Registers `/api/admin/domains`. */
export async function adminDomainRoutes(app: FastifyInstance, dependencies: AllLinksDependencies) {
  const add = addRoutes(app, 'Administration', 'admin');

  add.adminListDomains(
    {
      summary: 'List domains',
    },
    async () => {
      return { success: true, message: 'All domains.', data: listDomains(dependencies) };
    },
  );

  add.adminAddDomain(
    {
      summary: 'Add a domain',
      description:
        'In use from the next request on. If it was removed before, its links are live again, and fields that are not sent are as they were. A host that exists is a 409.',
      examples: {
        'A domain for everybody': { host: 'go.example' },
        'With its own looks': {
          host: 'shop.example',
          brand: { name: 'The Shop', color: '#0b6b57' },
          rootUrl: 'https://www.shop.example/',
        },
      },
      errors: ['domain_exists', 'invalid_url'],
    },
    async ({ body, by }) => {
      const data = await addDomain(body, by, dependencies);
      return { success: true, message: 'The domain can be used.', data };
    },
  );

  add.adminEditDomain(
    {
      summary: 'Edit a domain',
      description: 'Absent fields stay as they are. `brand` is replaced as a whole.',
      examples: {
        'Send visitors of unknown links to a page': { notFoundUrl: 'https://example.com/' },
      },
      errors: ['invalid_url'],
    },
    async ({ params: { host }, body, by }) => {
      const data = await editDomain(host, body, by, dependencies);
      return { success: true, message: 'The domain was edited.', data };
    },
  );

  add.adminRemoveDomain(
    {
      summary: 'Remove a domain',
      description:
        'Deletes no link. One whose alias is taken on the other domain stays, and answers 410. The previous short URLs of moved links lead to them as long as the domain points to this server.',
      errors: ['domain_in_use'],
    },
    async ({ params, query, by }) => {
      const data = await removeDomain(params.host, query, by, dependencies);
      const message = data.isRemoved
        ? 'The domain was removed.'
        : 'More links are to be moved. Repeat the request.';
      return { success: true, message, data };
    },
  );
}
