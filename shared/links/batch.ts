import { z } from 'zod';
import { BATCH_LINKS_MAX } from '../bounds.ts';
import { errorBodySchema } from '../error-body.ts';
import { envelope } from '../schemas.ts';
import { linkResponseSchema } from './link-responses.ts';
import { shortenRequestSchema } from './shorten-request.ts';

/**
 * The body of `POST /api/links/batch`, as the API reference describes it. The server parses each
 * request by itself, so that an invalid one fails alone.
 */
export const batchRequestSchema = z
  .array(shortenRequestSchema)
  .min(1)
  .max(BATCH_LINKS_MAX)
  .describe(`1 to ${BATCH_LINKS_MAX} bodies of \`POST /api/shorten\`.`);

const status = z.int().describe('The HTTP status that the single request would get.');

/** What one request of the batch led to. */
const batchResultSchema = z.union([
  linkResponseSchema.extend({ status }),
  errorBodySchema.extend({ status }),
]);
export type BatchResult = z.output<typeof batchResultSchema>;

/** The 200 of `POST /api/links/batch`. */
export const batchResponseSchema = envelope(
  z.array(batchResultSchema).describe('The results, in the order of the requests.'),
);
