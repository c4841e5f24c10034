import { z } from 'zod';

/**
 * All error codes. They are stable: clients should check the code, never the message. The HTTP status
 * of each code is in `server/web/plugins/errors.ts`.
 */
export const ERROR_CODES = [
  'invalid_json',
  'invalid_request',
  'invalid_url',
  'blocked_url',
  'invalid_domain',
  'expires_in_past',
  'conflicting_expiry',
  'invalid_token',
  'token_required',
  'identity_required',
  'wrong_password',
  'insufficient_scope',
  'account_suspended',
  'not_administrator',
  'cross_site',
  'not_found',
  'code_invalid',
  'method_not_allowed',
  'alias_taken',
  'too_many_aliases',
  'too_many_tags',
  'too_many_tokens',
  'last_token',
  'domain_exists',
  'domain_in_use',
  'link_gone',
  'version_mismatch',
  'body_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'idempotency_mismatch',
  'too_early',
  'rate_limited',
  'account_limit',
  'anonymous_limit',
  'quota_exceeded',
  'link_blocked',
  'internal',
  'busy',
  'store_unavailable',
  'store_full',
] as const;

export const errorCodeSchema = z.enum(ERROR_CODES);
export type ErrorCode = z.output<typeof errorCodeSchema>;

const issueSchema = z.object({
  path: z.string().describe('The invalid field or header, or an empty string for the whole body.'),
  message: z.string().describe('What is wrong and how to fix it. Human-readable.'),
});
export type Issue = z.output<typeof issueSchema>;

/** The body of every error response under `/api`. */
export const errorBodySchema = z
  .object({
    success: z.literal(false),
    message: z.string().describe('What went wrong. Human-readable.'),
    code: errorCodeSchema.describe('What went wrong. Machine-readable.'),
    issues: z.array(issueSchema).optional().describe('With status 400: the invalid fields.'),
    suggestions: z
      .array(z.string())
      .optional()
      .describe('With `alias_taken`: three available aliases.'),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.output<typeof errorBodySchema>;
