import type { ErrorCode, Issue } from '../../shared/errors.ts';
import type { LinkRecord } from '../../shared/links/link-record.ts';

type Details = {
  issues?: Issue[];
  /** Available aliases, with `alias_taken`. */
  suggestions?: string[];
  /** The link as it is now, with `version_mismatch`. */
  current?: LinkRecord;
  /** Whole seconds, sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** When the link begins to work, milliseconds since the epoch, with `too_early`. */
  startsAt?: number;
  /** The short URL to open instead, with `cross_site`. */
  shortUrl?: string;
  /** Methods that the path supports, with `method_not_allowed`; sent as `Allow`. */
  allow?: string[];
};

/**
 * An error that is returned to the client. Only `server/web/plugins/errors.ts` maps codes to HTTP
 * statuses and errors to responses.
 */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: Details;

  /** @param message human-readable: what is wrong and how to fix it */
  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

export function busy(message: string, retryAfterSeconds = 1): ServiceError {
  return new ServiceError('busy', message, { retryAfterSeconds });
}

/** @param reason a sentence on what there was too much of; the next one says when to try again */
export function rateLimited(reason: string, retryAfterSeconds: number): ServiceError {
  const message = `${reason} Try again in ${retryAfterSeconds} seconds.`;
  return new ServiceError('rate_limited', message, { retryAfterSeconds });
}

/**
 * Returns an error about one field, header or parameter.
 *
 * @param message what is wrong with it, such as `Must not be empty.`
 */
export function invalidField(
  path: string,
  message: string,
  code: ErrorCode = 'invalid_request',
): ServiceError {
  return new ServiceError(code, `${path}: ${message}`, { issues: [{ path, message }] });
}

/** Returns such an error whose message says itself what it is about. */
export function withIssue(
  path: string,
  message: string,
  code: ErrorCode = 'invalid_request',
): ServiceError {
  return new ServiceError(code, message, { issues: [{ path, message }] });
}

export function invalidCursor(): ServiceError {
  return invalidField('cursor', 'Is not a cursor. Send the nextCursor of the previous page.');
}
