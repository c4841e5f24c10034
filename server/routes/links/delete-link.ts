import type { FastifyInstance } from 'fastify';
import {
  aliasParamsSchema,
  deletedLinkResponseSchema,
  deleteQuerySchema,
  linkQuerySchema,
  linkResponseSchema,
  previousAliasParamsSchema,
} from '../../../shared/links/link-responses.ts';
import { conditionalHeadersSchema } from '../../../shared/request-headers.ts';
import {
  deleteLink,
  purgeLink,
  removePreviousAlias,
  restoreLink,
} from '../../links/manage/delete-link.ts';
import type { OwnLinkDependencies } from '../../links/manage/own-link.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';
import { addRoute } from '../add-route.ts';
import {
  ETAG_HEADER,
  readLinkCall,
  type SendLinkDependencies,
  toTaggedRecord,
} from './send-link.ts';

type Dependencies = OwnLinkDependencies & SendLinkDependencies;

const all = {
  access: 'all',
  tag: 'Links',
  headers: conditionalHeadersSchema,
  responseHeaders: ETAG_HEADER,
} as const;

const remove = {
  ...all,
  operationId: 'deleteLink',
  summary: 'Delete a link',
  description:
    'Visitors get 410 at once. The link can be restored for 30 days, unless `purge=true` erases it. Its aliases stay reserved for the account.',
  params: aliasParamsSchema,
  query: deleteQuerySchema,
  response: deletedLinkResponseSchema,
  errors: ['invalid_request', 'invalid_domain', 'not_found', 'version_mismatch', 'link_blocked'],
} satisfies Endpoint;

const restore = {
  ...all,
  operationId: 'restoreLink',
  summary: 'Restore a deleted link',
  description:
    'Possible for 30 days after the deletion. A link that is not deleted stays as it is.',
  params: aliasParamsSchema,
  query: linkQuerySchema,
  response: linkResponseSchema,
  errors: ['invalid_request', 'invalid_domain', 'not_found', 'version_mismatch'],
} satisfies Endpoint;

const removeAlias = {
  ...all,
  operationId: 'removeAlias',
  summary: 'Remove a previous alias of a link',
  description: 'It no longer leads to the link, and stays reserved for the account.',
  params: previousAliasParamsSchema,
  query: linkQuerySchema,
  response: linkResponseSchema,
  errors: ['invalid_request', 'invalid_domain', 'not_found', 'version_mismatch', 'link_blocked'],
} satisfies Endpoint;

/** `DELETE /api/links/:alias`, `POST …/restore` and `DELETE …/aliases/:old`. */
export async function deleteLinkRoutes(app: FastifyInstance, dependencies: Dependencies) {
  addRoute(app, 'DELETE', '/links/:alias', remove, async (call) => {
    const linkCall = readLinkCall(call, dependencies);
    if (call.query.purge === 'true') {
      await purgeLink(linkCall, dependencies);
      return { success: true, message: 'The link is erased.', data: null };
    }
    const link = await deleteLink(linkCall, dependencies);
    const data = toTaggedRecord(call, link, dependencies);
    return { success: true, message: 'The link is deleted. It can be restored.', data };
  });

  addRoute(app, 'POST', '/links/:alias/restore', restore, async (call) => {
    const link = await restoreLink(readLinkCall(call, dependencies), dependencies);
    const data = toTaggedRecord(call, link, dependencies);
    return { success: true, message: 'The link is restored.', data };
  });

  addRoute(app, 'DELETE', '/links/:alias/aliases/:old', removeAlias, async (call) => {
    const linkCall = readLinkCall(call, dependencies);
    const link = await removePreviousAlias(linkCall, call.params.old, dependencies);
    const data = toTaggedRecord(call, link, dependencies);
    return { success: true, message: 'The alias is removed.', data };
  });
}
