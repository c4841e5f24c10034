import type { FastifyInstance } from 'fastify';
import { linkListQuerySchema, linkListResponseSchema } from '../../../shared/links/link-list.ts';
import {
  aliasParamsSchema,
  linkQuerySchema,
  linkResponseSchema,
} from '../../../shared/links/link-responses.ts';
import { type ListDependencies, listLinks } from '../../links/manage/list-links.ts';
import { findOwnLink } from '../../links/manage/own-link.ts';
import { type RecordDependencies, toLinkRecord } from '../../links/to-link-record.ts';
import { readVisits30 } from '../../links/visits-per-day.ts';
import { type Endpoint, ownerOf } from '../../web/plugins/endpoint.ts';
import { addRoute } from '../add-route.ts';
import { ETAG_HEADER, readLinkCall, toTaggedRecord } from './send-link.ts';

type Dependencies = ListDependencies & RecordDependencies;

const list = {
  access: 'read',
  tag: 'Links',
  operationId: 'listLinks',
  summary: 'List the links of the account',
  description:
    'Read page by page, the list has every link that exists throughout exactly once, whatever is created, edited or deleted in between. In another order than `created`, a link that is visited or renamed in between moves: it can be missing or, after a new alias, be there twice. `total` is exact up to 10,000 links.',
  query: linkListQuerySchema,
  response: linkListResponseSchema,
  errors: ['invalid_request', 'invalid_domain'],
} satisfies Endpoint;

const read = {
  access: 'read',
  tag: 'Links',
  operationId: 'getLink',
  summary: 'Read a link',
  description: 'A deleted link can be read until it is erased.',
  params: aliasParamsSchema,
  query: linkQuerySchema,
  response: linkResponseSchema,
  responseHeaders: ETAG_HEADER,
  errors: ['invalid_request', 'invalid_domain', 'not_found'],
} satisfies Endpoint;

/** `GET /api/links` and `GET /api/links/:alias`. */
export async function readLinkRoutes(app: FastifyInstance, dependencies: Dependencies) {
  addRoute(app, 'GET', '/links', list, async ({ query, request }) => {
    const { account } = ownerOf(request);
    const { links, ...page } = await listLinks(account.id, query, dependencies);
    const now = dependencies.clock();
    const data = links.map((link) => toLinkRecord(link, dependencies, now));
    if (query.include === 'visits30') {
      const ids = links.map(({ id }) => id);
      for (const [index, visits30] of (await readVisits30(ids, dependencies)).entries()) {
        Object.assign(data[index] ?? {}, { visits30 });
      }
    }
    return { success: true, message: 'The links of the account.', data, ...page };
  });

  addRoute(app, 'GET', '/links/:alias', read, async (call) => {
    const link = await findOwnLink(readLinkCall(call, dependencies), dependencies);
    const data = toTaggedRecord(call, link, dependencies);
    return { success: true, message: 'The link.', data };
  });
}
