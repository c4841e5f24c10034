import type { FastifyInstance } from 'fastify';
import { TAGS_LISTED_MAX } from '../../../shared/limits.ts';
import { tagListResponseSchema } from '../../../shared/links/tags.ts';
import type { Store } from '../../store/store.ts';
import { type Endpoint, ownerOf } from '../../web/plugins/endpoint.ts';
import { addRoute } from '../add-route.ts';

const list = {
  access: 'read',
  tag: 'Links',
  operationId: 'listTags',
  summary: 'List the tags of the account',
  description: 'With the number of links that have each of them. Deleted links are not counted.',
  response: tagListResponseSchema,
} satisfies Endpoint;

/** `GET /api/tags`. */
export async function tagsRoute(app: FastifyInstance, { store }: { store: Store }) {
  addRoute(app, 'GET', '/tags', list, async ({ request }) => {
    const data = await store.countTags(ownerOf(request).account.id, TAGS_LISTED_MAX);
    return { success: true, message: 'The tags of the account.', data };
  });
}
