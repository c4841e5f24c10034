import { oneOf } from './schemas.ts';

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

export type ErrorCode = (typeof ERROR_CODES)[number];
/** The message explains an error that only a newer server knows. */
export const errorCodeSchema = oneOf(ERROR_CODES, 'internal');

/** What is wrong with a field, a header or a parameter, by its path. */
export type Issue = { path: string; message: string };
