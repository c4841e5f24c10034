import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { BATCH_BODY_MAX_BYTES, BATCH_LINKS_MAX } from '../../../shared/limits.ts';
import {
  type BatchResponse,
  type BatchResult,
  batchRequestSchema,
  batchResponseSchema,
} from '../../../shared/links/batch.ts';
import { idempotencyHeadersSchema } from '../../../shared/request-headers.ts';
import { parseInput } from '../../lib/parse-input.ts';
import { type BatchDependencies, createBatchShortener } from '../../links/create-batch.ts';
import type { Shortener } from '../../links/create-link.ts';
import { readIdempotencyKey } from '../../links/idempotency.ts';
import { type Endpoint, ownerOf } from '../../web/plugins/endpoint.ts';
import { ERROR_STATUS, toErrorBody, toServiceError } from '../../web/plugins/errors.ts';
import {
  QUOTA_HEADERS,
  type QuotaHeaderDependencies,
  quotaHeadersOnErrors,
  setQuotaHeadersOf,
} from '../../web/plugins/quota-headers.ts';
import { shortenRequestParser, toCreatedResponse } from '../shorten.ts';

export type BatchRouteDependencies = BatchDependencies & QuotaHeaderDependencies;

/** Each body is parsed by itself. */
const bodiesSchema = z
  .array(z.unknown())
  .min(1, 'The batch is empty.')
  .max(BATCH_LINKS_MAX, `A batch can have at most ${BATCH_LINKS_MAX} links.`);

const endpoint: Endpoint = {
  access: 'create',
  tag: 'Links',
  operationId: 'createLinks',
  summary: 'Create up to 100 links',
  description:
    'Counts once against the rate limit; the quota counts links. Each request succeeds or fails by itself. The `Idempotency-Key` covers the whole batch: a retry creates only what failed before.',
  headers: idempotencyHeadersSchema,
  body: batchRequestSchema,
  examples: {
    'Two links': [
      { originalUrl: 'https://example.com/one', tags: ['print'] },
      { originalUrl: 'https://example.com/two', tags: ['print'], customAlias: 'two' },
    ],
  },
  response: batchResponseSchema,
  responseHeaders: QUOTA_HEADERS,
  errors: ['idempotency_mismatch'],
};

/** `POST /api/links/batch`. */
export async function batchRoute(
  app: FastifyInstance,
  { shorten, ...dependencies }: BatchRouteDependencies & { shorten: Shortener },
) {
  const shortenAll = createBatchShortener(dependencies, shorten);

  app.post('/links/batch', {
    bodyLimit: BATCH_BODY_MAX_BYTES,
    config: { isRateLimited: true, endpoint },
    errorHandler: quotaHeadersOnErrors(dependencies),
    handler: async (request, reply): Promise<BatchResponse> => {
      const caller = ownerOf(request);
      const results = await shortenAll({
        bodies: parseInput(bodiesSchema, request.body),
        parse: (body) => parseInput(shortenRequestParser, body),
        caller,
        by: request.authorization,
        idempotencyKey: readIdempotencyKey(request.headers['idempotency-key'], false),
      });
      await setQuotaHeadersOf(caller, reply, dependencies);
      const data = results.map((result): BatchResult => {
        if (result.status === 'fulfilled') {
          return { status: 200, ...toCreatedResponse(result.value.record) };
        }
        const error = toServiceError(result.reason, request);
        return { status: ERROR_STATUS[error.code], ...toErrorBody(error) };
      });
      const created = data.filter(({ success }) => success).length;
      return { success: true, message: `${created} of ${data.length} links are ready.`, data };
    },
  });
}
