import type { FastifyInstance } from 'fastify';
import { editRequestSchema } from '../../../shared/links/edit-request.ts';
import {
  aliasParamsSchema,
  type LinkResponse,
  linkQuerySchema,
  linkResponseSchema,
} from '../../../shared/links/link-responses.ts';
import { conditionalHeadersSchema } from '../../../shared/request-headers.ts';
import { parseInput } from '../../lib/parse-input.ts';
import { type EditLinkDependencies, editLink } from '../../links/manage/edit-link.ts';
import { qrDataUrl } from '../../links/qr-code.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';
import { ETAG_HEADER, type LinkRequest, readLinkCall, toTaggedRecord } from './send-link.ts';

const endpoint: Endpoint = {
  access: 'all',
  tag: 'Links',
  operationId: 'editLink',
  summary: 'Edit a link',
  description:
    'Absent fields stay as they are. The edit is effective from the next visit. A new alias is a rename: the previous one still leads to the link, until it is removed.',
  params: aliasParamsSchema,
  query: linkQuerySchema,
  headers: conditionalHeadersSchema,
  body: editRequestSchema,
  examples: {
    'Change the target': { originalUrl: 'https://example.com/sold-out' },
    'Rename the link': { customAlias: 'launch-2026' },
    'Switch the link off': { isActive: false },
    'Remove the password and the expiry': { password: null, expiresAt: null },
  },
  response: linkResponseSchema,
  responseHeaders: ETAG_HEADER,
  errors: [
    'invalid_url',
    'blocked_url',
    'invalid_domain',
    'expires_in_past',
    'conflicting_expiry',
    'not_found',
    'link_gone',
    'version_mismatch',
    'alias_taken',
    'too_many_aliases',
    'quota_exceeded',
    'link_blocked',
    'busy',
  ],
};

/** `PATCH /api/links/:alias`. */
export async function editLinkRoute(app: FastifyInstance, dependencies: EditLinkDependencies) {
  app.patch(
    '/links/:alias',
    { config: { endpoint } },
    async (request: LinkRequest, reply): Promise<LinkResponse> => {
      const edit = parseInput(editRequestSchema, request.body);
      const link = await editLink(readLinkCall(request, dependencies), edit, dependencies);
      const data = toTaggedRecord(request, reply, link, dependencies);
      if (edit.generateQR) data.qrCode = qrDataUrl(data.shortUrl);
      return { success: true, message: 'The link is saved.', data };
    },
  );
}
