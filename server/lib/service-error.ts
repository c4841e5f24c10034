import type { ErrorCode, Issue } from '../../shared/errors.ts';

type Details = {
  issues?: Issue[];
  /** Available aliases, with `alias_taken`. */
  suggestions?: string[];
  /** Whole seconds, sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** When the link begins to work, milliseconds since the epoch, with `too_early`. */
  startsAt?: number;
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
