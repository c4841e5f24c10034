import type { FastifyInstance } from 'fastify';
import { type DoneResponse, doneResponseSchema } from '../../../shared/accounts/account-tokens.ts';
import {
  type BlockListResponse,
  type BlockResponse,
  blockListResponseSchema,
  blockParamsSchema,
  blockResponseSchema,
  newBlockRequestSchema,
} from '../../../shared/admin/blocks.ts';
import { addBlock, type BlockDependencies, listBlocks, removeBlock } from '../../admin/blocks.ts';
import { parseInput } from '../../lib/parse-input.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';

const admin = { access: 'admin', tag: 'Administration' } as const;

const list: Endpoint = {
  ...admin,
  operationId: 'adminListBlocks',
  summary: 'List blocks',
  response: blockListResponseSchema,
};

const add: Endpoint = {
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
};

const remove: Endpoint = {
  ...admin,
  operationId: 'adminRemoveBlock',
  summary: 'Remove a block',
  description: 'Effective from the next visit.',
  params: blockParamsSchema,
  response: doneResponseSchema,
  errors: ['not_found'],
};

/** `GET` and `POST /api/admin/blocks`, `DELETE /api/admin/blocks/:kind/:value`. */
export async function blockRoutes(app: FastifyInstance, dependencies: BlockDependencies) {
  app.get('/admin/blocks', { config: { endpoint: list } }, async (): Promise<BlockListResponse> => {
    return { success: true, message: 'All blocks.', data: await listBlocks(dependencies) };
  });

  app.post(
    '/admin/blocks',
    { config: { endpoint: add } },
    async (request): Promise<BlockResponse> => {
      const body = parseInput(newBlockRequestSchema, request.body);
      const data = await addBlock(body, request.authorization, dependencies);
      return { success: true, message: `The ${data.kind} is blocked.`, data };
    },
  );

  app.delete(
    '/admin/blocks/:kind/:value',
    { config: { endpoint: remove } },
    async (request): Promise<DoneResponse> => {
      const block = parseInput(blockParamsSchema, request.params);
      await removeBlock(block, request.authorization, dependencies);
      return { success: true, message: `The ${block.kind} is not blocked any more.`, data: null };
    },
  );
}
