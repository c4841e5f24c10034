import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  aliasParamsSchema,
  type DeletedLinkResponse,
  deletedLinkResponseSchema,
  deleteQuerySchema,
  type LinkResponse,
  linkQuerySchema,
  linkResponseSchema,
  previousAliasParamsSchema,
} from '../../../shared/links/link-responses.ts';
import { conditionalHeadersSchema } from '../../../shared/request-headers.ts';
import { parseInput } from '../../lib/parse-input.ts';
import {
  deleteLink,
  purgeLink,
  removePreviousAlias,
  restoreLink,
} from '../../links/manage/delete-link.ts';
import type { OwnLinkDependencies } from '../../links/manage/own-link.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';
import {
  ETAG_HEADER,
  type LinkRequest,
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

const remove: Endpoint = {
  ...all,
  operationId: 'deleteLink',
  summary: 'Delete a link',
  description:
    'Visitors get 410 at once. The link can be restored for 30 days, unless `purge=true` erases it. Its aliases stay reserved for the account.',
  params: aliasParamsSchema,
  query: deleteQuerySchema,
  response: deletedLinkResponseSchema,
  errors: ['invalid_request', 'invalid_domain', 'not_found', 'version_mismatch', 'link_blocked'],
};

const restore: Endpoint = {
  ...all,
  operationId: 'restoreLink',
  summary: 'Restore a deleted link',
  description:
    'Possible for 30 days after the deletion. A link that is not deleted stays as it is.',
  params: aliasParamsSchema,
  query: linkQuerySchema,
  response: linkResponseSchema,
  errors: ['invalid_request', 'invalid_domain', 'not_found', 'version_mismatch'],
};

const removeAlias: Endpoint = {
  ...all,
  operationId: 'removeAlias',
  summary: 'Remove a previous alias of a link',
  description: 'It no longer leads to the link, and stays reserved for the account.',
  params: previousAliasParamsSchema,
  query: linkQuerySchema,
  response: linkResponseSchema,
  errors: ['invalid_request', 'invalid_domain', 'not_found', 'version_mismatch', 'link_blocked'],
};

/** `DELETE /api/links/:alias`, `POST …/restore` and `DELETE …/aliases/:old`. */
export async function deleteLinkRoutes(app: FastifyInstance, dependencies: Dependencies) {
  app.delete(
    '/links/:alias',
    { config: { endpoint: remove } },
    async (request: LinkRequest, reply): Promise<DeletedLinkResponse> => {
      const call = readLinkCall(request, dependencies);
      if (parseInput(deleteQuerySchema, request.query).purge === 'true') {
        await purgeLink(call, dependencies);
        return { success: true, message: 'The link is erased.', data: null };
      }
      const link = await deleteLink(call, dependencies);
      const data = toTaggedRecord(request, reply, link, dependencies);
      return { success: true, message: 'The link is deleted. It can be restored.', data };
    },
  );

  app.post(
    '/links/:alias/restore',
    { config: { endpoint: restore } },
    async (request: LinkRequest, reply): Promise<LinkResponse> => {
      const link = await restoreLink(readLinkCall(request, dependencies), dependencies);
      const data = toTaggedRecord(request, reply, link, dependencies);
      return { success: true, message: 'The link is restored.', data };
    },
  );

  app.delete(
    '/links/:alias/aliases/:old',
    { config: { endpoint: removeAlias } },
    async (request: FastifyRequest<{ Params: { alias: string; old: string } }>, reply) => {
      const link = await removePreviousAlias(
        readLinkCall(request, dependencies),
        request.params.old,
        dependencies,
      );
      const data = toTaggedRecord(request, reply, link, dependencies);
      return { success: true, message: 'The alias is removed.', data } satisfies LinkResponse;
    },
  );
}
