import type { FastifyInstance } from 'fastify';
import { doneResponseSchema } from '../../../shared/accounts/account-tokens.ts';
import {
  blockListResponseSchema,
  blockParamsSchema,
  blockResponseSchema,
  newBlockRequestSchema,
} from '../../../shared/admin/blocks.ts';
import { addBlock, type BlockDependencies, listBlocks, removeBlock } from '../../admin/blocks.ts';
import { parseInput } from '../../lib/parse-input.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';
import { addRoute } from '../add-route.ts';

const admin = { access: 'admin', tag: 'Administration' } as const;

const list = {
  ...admin,
  operationId: 'adminListBlocks',
  summary: 'List blocks',
  response: blockListResponseSchema,
} satisfies Endpoint;

const add = {
  ...admin,
  operationId: 'adminAddBlock',
  summary: 'Block a link, a host or an account',
  description:
    'From the next visit on, visitors get 451, and links to a blocked host cannot be created. The tokens of a blocked account get `account_suspended`. What is blocked already gets the new reason.',
  body: newBlockRequestSchema,
  examples: {
    'A host with its subdomains': { kind: 'host', value: 'evil.example', reason: 'Phishing' },
  },
  response: blockResponseSchema,
  errors: ['not_found'],
} satisfies Endpoint;

const remove = {
  ...admin,
  operationId: 'adminRemoveBlock',
  summary: 'Remove a block',
  description: 'Effective from the next visit.',
  params: blockParamsSchema,
  response: doneResponseSchema,
  errors: ['not_found'],
} satisfies Endpoint;

/** `GET` and `POST /api/admin/blocks`, `DELETE /api/admin/blocks/:kind/:value`. */
export async function blockRoutes(app: FastifyInstance, dependencies: BlockDependencies) {
  addRoute(app, 'GET', '/admin/blocks', list, async () => {
    return { success: true, message: 'All blocks.', data: await listBlocks(dependencies) };
  });

  addRoute(app, 'POST', '/admin/blocks', add, async ({ body, by }) => {
    const data = await addBlock(body, by, dependencies);
    return { success: true, message: `The ${data.kind} is blocked.`, data };
  });

  addRoute(app, 'DELETE', '/admin/blocks/:kind/:value', remove, async ({ params, by }) => {
    const block = parseInput(blockParamsSchema, params);
    await removeBlock(block, by, dependencies);
    return { success: true, message: `The ${block.kind} is not blocked any more.`, data: null };
  });
}
