import { z } from 'zod';

/**
 * Every way the service says no. Codes are stable: clients branch on them, never on a message.
 * Their HTTP statuses stand in `server/plugins/errors.ts`.
 */
export const ERROR_CODES = [
  'invalid_json',
  'invalid_request',
  'invalid_url',
  'expires_in_past',
  'conflicting_expiry',
  'invalid_token',
  'token_required',
  'wrong_password',
  'not_found',
  'method_not_allowed',
  'alias_taken',
  'link_gone',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_mismatch',
  'too_early',
  'rate_limited',
  'account_limit',
  'quota_exceeded',
  'internal',
  'busy',
  'store_unavailable',
] as const;

export const errorCodeSchema = z.enum(ERROR_CODES);
export type ErrorCode = z.output<typeof errorCodeSchema>;

export const issueSchema = z.object({
  path: z.string().describe('The field at fault, or the header; empty for the body as a whole.'),
  message: z.string().describe('What is wrong with it and what to do, for a person.'),
});
export type Issue = z.output<typeof issueSchema>;

/** The body of every answer under `/api` that is not 2xx. */
export const errorBodySchema = z.object({
  success: z.literal(false),
  message: z.string().describe('What went wrong, for a person.'),
  code: errorCodeSchema.describe('What went wrong, for a program.'),
  issues: z.array(issueSchema).optional().describe('With a 400: each field at fault.'),
  suggestions: z.array(z.string()).optional().describe('With `alias_taken`: three free aliases.'),
});
export type ErrorBody = z.output<typeof errorBodySchema>;
