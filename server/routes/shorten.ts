import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type ShortenResponse, shortenResponseSchema } from '../../shared/links/link-record.ts';
import { shortenRequestSchema } from '../../shared/links/shorten-request.ts';
import { idempotencyHeadersSchema } from '../../shared/request-headers.ts';
import { assertValidToken } from '../accounts/caller.ts';
import { parseInput } from '../lib/parse-input.ts';
import type { Shortener } from '../links/create-link.ts';
import { readIdempotencyKey } from '../links/idempotency.ts';
import type { Endpoint } from '../web/plugins/endpoint.ts';
import {
  QUOTA_HEADERS,
  type QuotaHeaderDependencies,
  quotaHeadersOnErrors,
  setQuotaHeaders,
} from '../web/plugins/quota-headers.ts';

/** Compiled, because every request uses it. */
export const shortenRequestParser = z.compile(shortenRequestSchema);

const endpoint: Endpoint = {
  access: 'create',
  isAnonymousAllowed: true,
  tag: 'Links',
  operationId: 'createLink',
  summary: 'Create a short link',
  description:
    'Without a token, an anonymous account is created together with its first link, and `data.newAuthToken` is its token.',
  headers: idempotencyHeadersSchema,
  body: shortenRequestSchema,
  examples: {
    'Only a target': { originalUrl: 'https://example.com/launch' },
    'A campaign that ends': {
      originalUrl: 'https://example.com/launch?source=newsletter',
      customAlias: 'launch',
      expiresInDays: 30,
      title: 'Launch',
      tags: ['newsletter', '2026'],
    },
    'A download for ten people who know a password': {
      originalUrl: 'https://example.com/report.pdf',
      password: 'correct horse battery staple',
      maxVisits: 10,
      generateQR: true,
    },
  },
  response: shortenResponseSchema,
  responseHeaders: QUOTA_HEADERS,
  errors: [
    'invalid_url',
    'blocked_url',
    'invalid_domain',
    'expires_in_past',
    'conflicting_expiry',
    'alias_taken',
    'idempotency_mismatch',
    'account_limit',
    'anonymous_limit',
    'store_full',
    'quota_exceeded',
    'busy',
  ],
};

/**
 * `POST /api/shorten`. Checks in the documented order: rate limit, 401, 403, 415, 413, 400, 422,
 * quota, 409.
 *
 * @see docs/api.md, "Errors"
 */
export async function shortenRoute(
  app: FastifyInstance,
  { shorten, ...dependencies }: QuotaHeaderDependencies & { shorten: Shortener },
) {
  app.post('/shorten', {
    config: { isRateLimited: true, endpoint },
    errorHandler: quotaHeadersOnErrors(dependencies),
    handler: async (request, reply): Promise<ShortenResponse> => {
      const { caller } = request;
      assertValidToken(caller);
      const created = await shorten({
        request: parseInput(shortenRequestParser, request.body),
        caller,
        by: request.authorization,
        idempotencyKey: readIdempotencyKey(
          request.headers['idempotency-key'],
          caller.kind === 'anonymous',
        ),
      });
      setQuotaHeaders(reply, dependencies, caller, created.usedInMonth);
      const { record, authToken, isNewAccount } = created;
      const tokens = { authToken, ...(isNewAccount && { newAuthToken: authToken }) };
      return toCreatedResponse({ ...record, ...tokens });
    },
  });
}

export function toCreatedResponse<Data>(data: Data) {
  return { success: true as const, message: 'The short link is ready.', data };
}
