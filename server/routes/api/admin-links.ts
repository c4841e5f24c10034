import type { FastifyInstance } from 'fastify';
import { addBlock, listBlocks, removeBlock } from '../../admin/blocks.ts';
import {
  type AllLinksDependencies,
  countAllLinks,
  listAllLinks,
} from '../../admin/list-all-links.ts';
import { dismissReports, listReports } from '../../admin/reports.ts';
import { knownDomain } from '../../domains/short-domains.ts';
import { addRoutes } from './add-routes.ts';

/** Registers `/api/admin/links`, `/api/admin/blocks` and `/api/admin/reports`. */
export async function adminLinkRoutes(app: FastifyInstance, dependencies: AllLinksDependencies) {
  const add = addRoutes(app, 'Administration', 'admin');

  add.adminListLinks(
    {
      summary: 'List and search the links of all accounts',
      description: 'For example those to a host, with `host`.',
    },
    async ({ query }) => {
      const page = await listAllLinks(query, dependencies);
      return { success: true, message: 'The links of all accounts.', ...page };
    },
  );

  add.adminCountLinks(
    {
      summary: 'Count the links of all accounts',
      description: 'For example those that a block of their host would affect, with `host`.',
    },
    async ({ query }) => {
      const data = await countAllLinks(query, dependencies);
      return { success: true, message: 'The count.', data };
    },
  );

  add.adminListBlocks(
    {
      summary: 'List blocks',
    },
    async () => {
      return { success: true, message: 'All blocks.', data: await listBlocks(dependencies) };
    },
  );

  add.adminAddBlock(
    {
      summary: 'Block a link, a host or an account',
      description:
        'From the next visit on, visitors get 451, and links to a blocked host cannot be created. The tokens of a blocked account get `account_suspended`. What is blocked already gets the new reason.',
      examples: {
        'A host with its subdomains': { kind: 'host', value: 'evil.example', reason: 'Phishing' },
      },
      errors: ['not_found'],
    },
    async ({ body, by }) => {
      const data = await addBlock(body, by, dependencies);
      return { success: true, message: `The ${data.kind} is blocked.`, data };
    },
  );

  add.adminRemoveBlock(
    {
      summary: 'Remove a block',
      description: 'Effective from the next visit.',
    },
    async ({ params: block, by }) => {
      await removeBlock(block, by, dependencies);
      return { success: true, message: `The ${block.kind} is not blocked any more.`, data: null };
    },
  );

  const { domains } = dependencies;

  add.adminListReports(
    {
      summary: 'List reported links',
      description: 'What visitors say about them. Links that are blocked by now are left out.',
    },
    async ({ query }) => {
      const page = await listReports(query, dependencies);
      return { success: true, message: 'The reported links.', ...page };
    },
  );

  add.adminDismissReports(
    {
      summary: 'Dismiss the reports of a link',
      description: 'They are deleted. The link stays as it is.',
    },
    async ({ params, query, by }) => {
      const storedAlias = domains.qualify(knownDomain(query.domain, domains), params.alias);
      await dismissReports(storedAlias, by, dependencies);
      return { success: true, message: 'The reports are dismissed.', data: null };
    },
  );
}
