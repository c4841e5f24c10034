import type { ErrorCode, Issue } from '../errors.ts';

/** Errors of requests that got no response from Curt itself. */
export type TransportCode =
  | 'timeout'
  | 'unreachable'
  /** A proxy or gateway responds with 502, 503 or similar because the server behind it does not. */
  | 'gateway_error'
  /** A redirect, which is not followed. */
  | 'redirected'
  /** The response is from another program. */
  | 'not_curt';

/** A limit and how much of it is left until it resets. */
export type Limit = { limit: number; remaining: number; resetsInSeconds: number };
/** The client's limits, from the response headers. */
export type Limits = {
  /** Requests per minute. */
  rate?: Limit;
  /** Links per month, once the account is known. */
  quota?: Limit;
};

/** A plain object, because `Error` instances lose their class in messages. */
export type Failure = {
  ok: false;
  code: ErrorCode | TransportCode;
  /** Human-readable, in English. */
  message: string;
  /** HTTP status, if there was a response. */
  status?: number;
  issues?: Issue[];
  /** Available aliases, with `alias_taken`. */
  suggestions?: string[];
  /** Whole seconds until a retry makes sense. */
  retryAfterSeconds?: number;
  limits?: Limits;
};

export type Success<T> = {
  ok: true;
  data: T;
  /** Names the version of a link, for `ifMatch`. */
  etag?: string;
  limits?: Limits;
};

export type Result<T> = Success<T> | Failure;
