import { z } from 'zod';
import { type AccountResponse, accountResponseSchema } from './account.ts';
import { type ErrorCode, errorBodySchema, errorCodeSchema, type Issue } from './errors.ts';
import { type HealthResponse, healthResponseSchema } from './health.ts';
import { type LinkRecord, shortenResponseSchema } from './link-record.ts';
import type { ShortenRequest } from './shorten-request.ts';

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
export type Result<T> = { ok: true; data: T; limits?: Limits } | Failure;

export type ClientOptions = {
  /** Origin of the server, such as `http://localhost:2878`. */
  baseUrl: string;
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch;
  /** Milliseconds for a request, including the response body. @default 10_000 */
  timeoutMs?: number;
};

export type Credentials = {
  /** Account token. A request without one creates an anonymous account. */
  token?: string | undefined;
  /** Makes retries safe: 16 to 255 visible ASCII characters, or a UUID if there is no token. */
  idempotencyKey?: string | undefined;
};

export type Client = ReturnType<typeof createClient>;

const DEFAULT_TIMEOUT_MS = 10_000;

/** A newer server may send codes that this client does not know. Its message explains the error. */
const failureSchema = errorBodySchema.extend({
  code: errorCodeSchema.or(z.string().transform((): ErrorCode => 'internal')),
});

/**
 * A typed client for the API. Its methods never throw: errors, timeouts, failed connections and
 * responses of other programs are returned as a `Result`.
 */
export function createClient({
  baseUrl,
  fetch = globalThis.fetch,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: ClientOptions) {
  async function call<T>(path: string, schema: z.ZodType<T>, init?: RequestInit) {
    let response: Response;
    let text: string;
    try {
      response = await fetch(new URL(path, baseUrl), {
        ...init,
        signal: AbortSignal.timeout(timeoutMs),
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        // A redirect would send the URL and the token to a host that the user did not choose.
        redirect: 'manual',
      });
      text = await response.text();
    } catch (error) {
      return transportFailure(error, baseUrl, timeoutMs);
    }
    return readResponse(response, text, schema, baseUrl);
  }

  return {
    /** `POST /api/shorten`: creates a short link. */
    async shorten(
      request: ShortenRequest,
      credentials: Credentials = {},
    ): Promise<Result<LinkRecord>> {
      const result = await call('/api/shorten', shortenResponseSchema, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...authorization(credentials.token),
          ...(credentials.idempotencyKey && { 'idempotency-key': credentials.idempotencyKey }),
        },
        body: JSON.stringify(request),
      });
      return result.ok ? { ...result, data: result.data.data } : result;
    },

    /** `GET /api/account`: quota and rate limit of the token's account. */
    async account(token: string): Promise<Result<AccountResponse['data']>> {
      const result = await call('/api/account', accountResponseSchema, {
        headers: authorization(token),
      });
      return result.ok ? { ok: true, data: result.data.data } : result;
    },

    /** `GET /api/health`: checks that this is a Curt server, and its version. */
    health(): Promise<Result<HealthResponse>> {
      return call('/api/health', healthResponseSchema);
    },
  };
}

function authorization(token: string | undefined): Record<string, string> {
  return token ? { authorization: `Bearer ${token}` } : {};
}

function transportFailure(error: unknown, baseUrl: string, timeoutMs: number): Failure {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return {
      ok: false,
      code: 'timeout',
      message: `${baseUrl} did not respond within ${timeoutMs / 1000} seconds.`,
    };
  }
  // Browsers throw the same TypeError for DNS errors, refused connections and bad certificates.
  return { ok: false, code: 'unreachable', message: `${baseUrl} cannot be reached.` };
}

function readResponse<T>(
  response: Response,
  text: string,
  schema: z.ZodType<T>,
  baseUrl: string,
): Result<T> {
  const body = parseJson(text);
  const limits = readLimits(response.headers);
  if (response.ok) {
    const answer = schema.safeParse(body);
    if (answer.success) return { ok: true, data: answer.data, ...(limits && { limits }) };
  } else {
    const failure = failureSchema.safeParse(body);
    if (failure.success) {
      const { success: _, ...rest } = failure.data;
      return {
        ok: false,
        status: response.status,
        ...rest,
        ...readRetryAfter(response.headers),
        ...(limits && { limits }),
      } as Failure;
    }
  }
  return {
    ok: false,
    status: response.status,
    ...readForeignResponse(response, baseUrl),
    ...readRetryAfter(response.headers),
  };
}

/** Only seconds are supported: an HTTP date would depend on the server's clock. */
function readRetryAfter(headers: Headers): { retryAfterSeconds?: number } {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {};
}

/** Classifies a response that is not from Curt. Curt's own 5xx responses have its error body. */
function readForeignResponse({ status, type }: Response, baseUrl: string) {
  // Browsers hide the status of a redirect.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return {
      code: 'redirected',
      message: `${baseUrl} redirects to another address. Use that address instead.`,
    } as const;
  }
  // Any program may send 500 or 501. From 502 on, a gateway reports about another server.
  if (status >= 502) {
    return {
      code: 'gateway_error',
      message: `A proxy responds for ${baseUrl}, but the server behind it is unavailable.`,
    } as const;
  }
  return {
    code: 'not_curt',
    message: `${baseUrl} responds, but it is not a Curt server.`,
  } as const;
}

function readLimits(headers: Headers): Limits | undefined {
  const rate = readLimit(headers, 'ratelimit');
  const quota = readLimit(headers, 'x-quota');
  return rate || quota ? { ...(rate && { rate }), ...(quota && { quota }) } : undefined;
}

/** @returns undefined unless all three numbers are present */
function readLimit(headers: Headers, name: string): Limit | undefined {
  const [limit = Number.NaN, remaining = Number.NaN, resetsInSeconds = Number.NaN] = [
    'limit',
    'remaining',
    'reset',
  ].map((part) => Number.parseInt(headers.get(`${name}-${part}`) ?? '', 10));
  const isComplete = [limit, remaining, resetsInSeconds].every((number) => number >= 0);
  return isComplete ? { limit, remaining, resetsInSeconds } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
