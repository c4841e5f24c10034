import { z } from 'zod';
import { IDEMPOTENCY_KEY_MAX_CHARACTERS, IDEMPOTENCY_KEY_MIN_CHARACTERS } from './bounds.ts';

/** Header fields of requests, as the API reference describes them. */
const idempotencyKey = z
  .string()
  .min(IDEMPOTENCY_KEY_MIN_CHARACTERS)
  .max(IDEMPOTENCY_KEY_MAX_CHARACTERS)
  .optional()
  .describe(
    'Makes retries safe for 24 hours: 16 to 255 visible ASCII characters; without a token, a random UUID (version 4 or 7).',
  );

export const idempotencyHeadersSchema = z.object({ 'Idempotency-Key': idempotencyKey });

export const conditionalHeadersSchema = z.object({
  'If-Match': z
    .string()
    .optional()
    .describe('The `ETag` of the link. The request fails if the link was edited since.'),
});
