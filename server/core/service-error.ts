import type { ErrorCode, Issue } from '../../shared/errors.ts';

type Details = {
  issues?: Issue[];
  /** Free aliases, with `alias_taken`. */
  suggestions?: string[];
  /** Whole seconds, sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** Methods that the path does know, with `method_not_allowed`; sent as `Allow`. */
  allow?: string[];
};

/**
 * How the service says no. `server/plugins/errors.ts` alone turns a code into an HTTP status and
 * an error into an answer.
 */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly code: ErrorCode;
  readonly details: Details;

  /** @param message for a person: what is wrong and what to do */
  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
