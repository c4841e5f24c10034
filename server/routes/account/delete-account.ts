import type { FastifyInstance } from 'fastify';
import {
  type DoneResponse,
  deleteAccountRequestSchema,
  doneResponseSchema,
} from '../../../shared/accounts/account-tokens.ts';
import { parseInput } from '../../lib/parse-input.ts';
import type { Store } from '../../store/store.ts';
import { type Endpoint, ownerOf } from '../../web/plugins/endpoint.ts';

const endpoint: Endpoint = {
  access: 'all',
  tag: 'Account',
  operationId: 'deleteAccount',
  summary: 'Delete the account',
  description:
    'Erases its links, statistics and tokens, which leave the disk within 24 hours. Its aliases are never assigned again.',
  body: deleteAccountRequestSchema,
  examples: { 'Delete everything': { confirm: 'delete' } },
  response: doneResponseSchema,
};

/** `DELETE /api/account`. */
export async function deleteAccountRoute(app: FastifyInstance, { store }: { store: Store }) {
  app.delete('/account', { config: { endpoint } }, async (request): Promise<DoneResponse> => {
    parseInput(deleteAccountRequestSchema, request.body);
    const accountId = ownerOf(request).account.id;
    await store.deleteAccount({ accountId, by: request.authorization });
    return { success: true, message: 'The account is deleted.', data: null };
  });
}
