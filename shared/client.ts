import { z } from 'zod';
import { type AccountAnswer, accountAnswerSchema } from './account.ts';
import { type ErrorCode, errorBodySchema, errorCodeSchema, type Issue } from './errors.ts';
import { type HealthAnswer, healthAnswerSchema } from './health.ts';
import { type LinkRecord, shortenAnswerSchema } from './link-record.ts';
import type { ShortenRequest } from './shorten-request.ts';

/** What a call may run into before the service itself could answer. */
export type TransportCode =
  | 'timeout'
  | 'unreachable'
  /** A proxy or gateway answers with a 502, 503 or the like, since the server behind it does not. */
  | 'gateway_error'
  /** A redirect, which is not followed. */
  | 'redirected'
  /** Another program answers. */
  | 'not_curt';

/** How much of something is left until it begins anew. */
export type Limit = { limit: number; remaining: number; resetsInSeconds: number };
/** What an answer's headers tell of the caller's limits. */
export type Limits = {
  /** Calls a minute. */
  rate?: Limit;
  /** Links a month, once the account is known. */
  quota?: Limit;
};

/** Plain data, so that it survives `postMessage`: errors lose their class on the way. */
export type Failure = {
  ok: false;
  code: ErrorCode | TransportCode;
  /** For a person, in English. */
  message: string;
  /** HTTP status, where an answer came. */
  status?: number;
  issues?: Issue[];
  /** Free aliases, with `alias_taken`. */
  suggestions?: string[];
  /** Whole seconds until another try makes sense. */
  retryAfterSeconds?: number;
  limits?: Limits;
};
export type Result<T> = { ok: true; data: T; limits?: Limits } | Failure;

export type ClientOptions = {
  /** Origin of the server, as `http://localhost:2878`. */
  baseUrl: string;
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch;
  /** Milliseconds for one call, its body included. @default 10_000 */
  timeoutMs?: number;
};

export type Credentials = {
  /** Account token; without one the call opens an anonymous account. */
  token?: string | undefined;
  /** 16 to 255 visible ASCII characters, a UUID without a token; the same key and body within 24 hours make one link. */
  idempotencyKey?: string | undefined;
};

export type Client = ReturnType<typeof createClient>;

const DEFAULT_TIMEOUT_MS = 10_000;

/** A newer server may have codes that this client does not know; its message says what is wrong. */
const refusalSchema = errorBodySchema.extend({
  code: errorCodeSchema.or(z.string().transform((): ErrorCode => 'internal')),
});

/**
 * The API with types. No call throws: every answer, a timeout, a refused connection and an answer
 * that is not the service's own come back as a `Result`.
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
        // A redirect would carry the long URL and the token to a host that nobody chose.
        redirect: 'manual',
      });
      text = await response.text();
    } catch (error) {
      return transportFailure(error, baseUrl, timeoutMs);
    }
    return readAnswer(response, text, schema, baseUrl);
  }

  return {
    /** `POST /api/shorten`: makes a short link. */
    async shorten(
      request: ShortenRequest,
      credentials: Credentials = {},
    ): Promise<Result<LinkRecord>> {
      const result = await call('/api/shorten', shortenAnswerSchema, {
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

    /** `GET /api/account`: quota and rate of the token's account. */
    async account(token: string): Promise<Result<AccountAnswer['data']>> {
      const result = await call('/api/account', accountAnswerSchema, {
        headers: authorization(token),
      });
      return result.ok ? { ok: true, data: result.data.data } : result;
    },

    /** `GET /api/health`: whether this is Curt, and which version. */
    health(): Promise<Result<HealthAnswer>> {
      return call('/api/health', healthAnswerSchema);
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
      message: `${baseUrl} did not answer within ${timeoutMs / 1000} seconds.`,
    };
  }
  // Browsers give one TypeError for a wrong name, a refused connection and a bad certificate.
  return { ok: false, code: 'unreachable', message: `${baseUrl} cannot be reached.` };
}

function readAnswer<T>(
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
    const failure = refusalSchema.safeParse(body);
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
    ...readForeignAnswer(response, baseUrl),
    ...readRetryAfter(response.headers),
  };
}

/** Only whole seconds are read: a date would need the server's clock. */
function readRetryAfter(headers: Headers): { retryAfterSeconds?: number } {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {};
}

/** What an answer means that Curt has not written. Curt's own 5xx carry its error body. */
function readForeignAnswer({ status, type }: Response, baseUrl: string) {
  // Browsers hide a redirect's status.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return {
      code: 'redirected',
      message: `${baseUrl} redirects to another address. Use the address that it leads to.`,
    } as const;
  }
  // 500 and 501 may be any program's own; from 502 on, a server speaks for another one.
  if (status >= 502) {
    return {
      code: 'gateway_error',
      message: `A proxy answers for ${baseUrl} that the server behind it is not available.`,
    } as const;
  }
  return {
    code: 'not_curt',
    message: `${baseUrl} answers, but not as a Curt server does.`,
  } as const;
}

function readLimits(headers: Headers): Limits | undefined {
  const rate = readBudget(headers, 'ratelimit');
  const quota = readBudget(headers, 'x-quota');
  return rate || quota ? { ...(rate && { rate }), ...(quota && { quota }) } : undefined;
}

/** All three numbers, or nothing: half a budget says nothing that can be shown. */
function readBudget(headers: Headers, name: string): Limit | undefined {
  const [limit = Number.NaN, remaining = Number.NaN, resetsInSeconds = Number.NaN] = [
    'limit',
    'remaining',
    'reset',
  ].map((part) => Number.parseInt(headers.get(`${name}-${part}`) ?? '', 10));
  const isWhole = [limit, remaining, resetsInSeconds].every((number) => number >= 0);
  return isWhole ? { limit, remaining, resetsInSeconds } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
