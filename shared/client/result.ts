import type { ErrorCode, Issue } from '../errors.ts';
import type { LinkRecord } from '../links/link-record.ts';

/** Errors of requests that got no response from Curt itself. */
type TransportCode =
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

/** What all failures have. A plain object, because `Error` instances lose their class in messages. */
export type Failed<Code extends string = string> = (
  | { code: Code; current?: never }
  | {
      code: 'version_mismatch';
      /** The link as it is now. */
      current: LinkRecord;
    }
) & {
  ok: false;
  /** Human-readable, in English. */
  message?: string;
  /** HTTP status, if there was a response. */
  status?: number;
  issues?: Issue[];
  /** Available aliases, with `alias_taken`. */
  suggestions?: string[];
  /** Whole seconds until a retry makes sense. */
  retryAfterSeconds?: number;
  limits?: Limits;
};

/** A failure of a request. */
export type Failure = Failed<ErrorCode | TransportCode> & { message: string };

/** A failure with what it says to people, in the shown language. */
export type Explained = Failed & { text: string };

export type Success<T> = {
  ok: true;
  data: T;
  /** Names the version of a link, for `ifMatch`. */
  etag?: string;
  limits?: Limits;
};

/** The only kind of answer, from the request to the page. */
export type Result<T, F extends Failed = Failure> = Success<T> | F;

export type Page<T> = { data: T[]; nextCursor: string | null };

/** A million rows, with 100 a page. */
const PAGES_MAX = 10_000;

/**
 * Reads the pages of a list from a cursor to its end. Fails as soon as one of them does, and with `not_curt`
 * if the list has no end.
 */
export async function readAllPages<T>(
  readPage: (cursor: string | undefined) => Promise<Result<Page<T>>>,
  first?: string,
): Promise<Result<T[]>> {
  const rows: T[] = [];
  const cursors = new Set([first]);
  for (let cursor = first; cursors.size <= PAGES_MAX; ) {
    const page = await readPage(cursor);
    if (!page.ok) return page;
    rows.push(...page.data.data);
    if (page.data.nextCursor === null) return { ok: true, data: rows };
    cursor = page.data.nextCursor;
    if (cursors.has(cursor)) break;
    cursors.add(cursor);
  }
  return { ok: false, code: 'not_curt', message: 'The list of the server has no end.' };
}
