import type { FastifyInstance } from 'fastify';
import {
  deleteAccountRequestSchema,
  doneResponseSchema,
} from '../../../shared/accounts/account-tokens.ts';
import type { Store } from '../../store/store.ts';
import { type Endpoint, ownerOf } from '../../web/plugins/endpoint.ts';
import { addRoute } from '../add-route.ts';

const endpoint = {
  access: 'all',
  tag: 'Account',
  operationId: 'deleteAccount',
  summary: 'Delete the account',
  description:
    'Erases its links, statistics and tokens, which leave the disk within 24 hours. Its aliases are never assigned again.',
  body: deleteAccountRequestSchema,
  examples: { 'Delete everything': { confirm: 'delete' } },
  response: doneResponseSchema,
} satisfies Endpoint;

/** `DELETE /api/account`. */
export async function deleteAccountRoute(app: FastifyInstance, { store }: { store: Store }) {
  addRoute(app, 'DELETE', '/account', endpoint, async ({ by, request }) => {
    await store.deleteAccount({ accountId: ownerOf(request).account.id, by });
    return { success: true, message: 'The account is deleted.', data: null };
  });
}
