import type { FastifyInstance } from 'fastify';
import { editRequestSchema } from '../../../shared/links/edit-request.ts';
import {
  aliasParamsSchema,
  linkQuerySchema,
  linkResponseSchema,
} from '../../../shared/links/link-responses.ts';
import { conditionalHeadersSchema } from '../../../shared/request-headers.ts';
import { type EditLinkDependencies, editLink } from '../../links/manage/edit-link.ts';
import { qrDataUrl } from '../../links/qr-code.ts';
import { toLinkRecord } from '../../links/to-link-record.ts';
import { type Endpoint, ownerOf } from '../../web/plugins/endpoint.ts';
import { addRoute } from '../add-route.ts';
import {
  ETAG_HEADER,
  readLinkCall,
  type SendLinkDependencies,
  toTaggedRecord,
} from './send-link.ts';

const endpoint = {
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
    'anonymous_limit',
    'store_full',
    'link_blocked',
    'busy',
  ],
} satisfies Endpoint;

/** `PATCH /api/links/:alias`. */
export async function editLinkRoute(
  app: FastifyInstance,
  dependencies: EditLinkDependencies & SendLinkDependencies,
) {
  addRoute(app, 'PATCH', '/links/:alias', endpoint, async (call) => {
    const link = await editLink(
      readLinkCall(call, dependencies),
      call.body,
      (before) => ({
        ...toLinkRecord(before, dependencies, dependencies.clock()),
        authToken: ownerOf(call.request).token,
      }),
      dependencies,
    );
    const data = toTaggedRecord(call, link, dependencies);
    if (call.body.generateQR) data.qrCode = qrDataUrl(data.shortUrl);
    return { success: true, message: 'The link is saved.', data };
  });
}
