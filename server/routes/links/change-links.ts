import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type BulkChange,
  type BulkResponse,
  bulkChangeSchema,
  bulkQuerySchema,
  bulkResponseSchema,
} from '../../../shared/links/bulk.ts';
import { parseInput, parseQuery } from '../../lib/parse-input.ts';
import { type ChangeLinksDependencies, changeLinks } from '../../links/manage/change-links.ts';
import { type Endpoint, ownerOf } from '../../web/plugins/endpoint.ts';

const PAGES =
  'Changes one page of the links that match, newest first. Send `nextCursor` until it is null; links that are created meanwhile stay as they are. Each change is on disk by itself. With `dryRun=true`, the response has the number of all links that match.';

const common = {
  access: 'all',
  tag: 'Links',
  query: bulkQuerySchema,
  response: bulkResponseSchema,
  errors: ['invalid_request', 'invalid_domain'],
} satisfies Partial<Endpoint>;

const edit: Endpoint = {
  ...common,
  operationId: 'changeLinks',
  summary: 'Change many links',
  description: `${PAGES} To undo a change, send the aliases that were changed, with the opposite.`,
  body: bulkChangeSchema,
  errors: [...common.errors, 'quota_exceeded', 'anonymous_limit', 'store_full'],
  examples: {
    'Switch some links off': { aliases: ['launch', 'party'], isActive: false },
    'Tag some links': { aliases: ['launch', 'party'], addTags: ['2026'] },
    'Undo a deletion': { aliases: ['launch', 'party'], isDeleted: false },
  },
};

const remove: Endpoint = {
  ...common,
  operationId: 'deleteLinks',
  summary: 'Delete many links',
  description: `${PAGES} The links can be restored for 30 days, with \`PATCH /api/links\`.`,
};

/** `PATCH /api/links` and `DELETE /api/links`. */
export async function changeLinksRoutes(
  app: FastifyInstance,
  dependencies: ChangeLinksDependencies,
) {
  async function respond(request: FastifyRequest, change: BulkChange): Promise<BulkResponse> {
    const { account, address } = ownerOf(request);
    const caller = { account, address, by: request.authorization };
    const query = parseQuery(bulkQuerySchema, request.query);
    const changed = await changeLinks(caller, query, change, dependencies);
    const message =
      query.dryRun === 'true' ? 'The links that match were counted.' : 'The links were changed.';
    return { success: true, message, ...changed };
  }

  app.patch('/links', { config: { endpoint: edit } }, (request) =>
    respond(request, parseInput(bulkChangeSchema, request.body)),
  );

  app.delete('/links', { config: { endpoint: remove } }, (request) =>
    respond(request, { isDeleted: true }),
  );
}
