import type { FastifyInstance } from 'fastify';
import { TAGS_LISTED_MAX } from '../../../shared/limits.ts';
import { type TagListResponse, tagListResponseSchema } from '../../../shared/links/tags.ts';
import type { Store } from '../../store/store.ts';
import { type Endpoint, ownerOf } from '../../web/plugins/endpoint.ts';

const list: Endpoint = {
  access: 'read',
  tag: 'Links',
  operationId: 'listTags',
  summary: 'List the tags of the account',
  description: 'With the number of links that have each of them. Deleted links are not counted.',
  response: tagListResponseSchema,
};

/** `GET /api/tags`. */
export async function tagsRoute(app: FastifyInstance, { store }: { store: Store }) {
  app.get('/tags', { config: { endpoint: list } }, async (request): Promise<TagListResponse> => {
    const data = await store.countTags(ownerOf(request).account.id, TAGS_LISTED_MAX);
    return { success: true, message: 'The tags of the account.', data };
  });
}
