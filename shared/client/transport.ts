import { z } from 'zod';
import { ALIAS_PATTERN, WAIT_MAX_SECONDS } from '../bounds.ts';
import { errorBodySchema } from '../error-body.ts';
import { systemTime } from '../time.ts';
import { type Call, DEFAULT_TIMEOUT_MS, type RequestOptions, toRequest } from './request.ts';
import type { Failure, Limit, Limits, Result } from './result.ts';

export type ClientOptions = RequestOptions & {
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch;
  /** Changes each failure, for example to say what the user of a program can do. */
  explain?: ExplainFailure;
};

/** @param cause what `fetch` has thrown, if there was no response */
export type ExplainFailure = (failure: Failure, cause?: unknown) => Failure | Promise<Failure>;

export type Transport = ReturnType<typeof createTransport>;

/** The body of a successful response, apart from those of the health check. */
type Envelope<T> = { data: T };

/** The largest are reports of imports and pages of the longest links: 4 MiB. Files have no limit. */
const BODY_MAX_BYTES = 16 * 1024 * 1024;
const FILE_TYPE = /^(application\/json|text\/csv)\b/i;

/** Sends requests and parses their responses. Never throws. */
export function createTransport({
  baseUrl,
  fetch = globalThis.fetch,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  time = systemTime,
  explain = (failure) => failure,
}: ClientOptions) {
  function send(request: Call): Promise<Response> {
    return fetch(...toRequest(request, { baseUrl, timeoutMs, time }));
  }

  /** Returns the whole body. */
  async function call<T>(request: Call, schema: z.ZodType<T>): Promise<Result<T>> {
    let response: Response;
    let text: string;
    try {
      response = await send(request);
      text = await readText(response);
    } catch (error) {
      return explain(transportFailure(error, baseUrl, request.timeoutMs ?? timeoutMs), error);
    }
    const result = readResponse(response, text, schema, baseUrl);
    return result.ok ? result : explain(result);
  }

  /** Returns the body as a file. One that ends too early is an error. */
  async function callForFile(request: Call): Promise<Result<Blob>> {
    let result: Result<never>;
    try {
      const response = await send(request);
      const isFile = response.ok && FILE_TYPE.test(response.headers.get('content-type') ?? '');
      if (isFile) return { ok: true, data: await response.blob() };
      result = readResponse(response, await readText(response), z.never(), baseUrl);
    } catch (error) {
      return explain(transportFailure(error, baseUrl, request.timeoutMs ?? timeoutMs), error);
    }
    return result.ok ? result : explain(result);
  }

  /** Returns the `data` of the body. */
  async function callForData<T>(request: Call, schema: z.ZodType<Envelope<T>>): Promise<Result<T>> {
    const result = await call(request, schema);
    return result.ok ? { ...result, data: result.data.data } : result;
  }

  return { call, callForData, callForFile };
}

/** Reads a body. Curt sends none that is too large, so the rest of it is not read. */
function readText({ body }: Response): Promise<string> {
  let left = BODY_MAX_BYTES;
  const limit = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.terminate();
      else controller.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(limit)).text();
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

/** More than Curt sends: a page with longer texts would hang. */
const MESSAGE_MAX_CHARACTERS = 10_000;
const ISSUE_MAX_CHARACTERS = 1000;
const ISSUES_MAX = 100;
const SUGGESTIONS_MAX = 3;

const upTo = (max: number) => z.string().transform((all) => all.slice(0, max));
const failureSchema = errorBodySchema.extend({
  message: upTo(MESSAGE_MAX_CHARACTERS),
  issues: z
    .array(z.object({ path: upTo(ISSUE_MAX_CHARACTERS), message: upTo(ISSUE_MAX_CHARACTERS) }))
    .transform((all) => all.slice(0, ISSUES_MAX))
    .optional(),
  suggestions: z
    .array(z.string())
    .transform((all) => all.filter((alias) => ALIAS_PATTERN.test(alias)).slice(0, SUGGESTIONS_MAX))
    .optional(),
  // A conflict is one, also if the link of it can't be read.
  current: errorBodySchema.shape.current.catch(undefined),
});

/** Parses a response of Curt, or classifies one of another program. */
function readResponse<T>(
  response: Response,
  text: string,
  schema: z.ZodType<T>,
  baseUrl: string,
): Result<T> {
  const body = parseJson(text);
  const limits = readLimits(response.headers);
  const etag = response.headers.get('etag');
  if (response.ok) {
    const answer = schema.safeParse(body);
    if (answer.success) {
      return { ok: true, data: answer.data, ...(etag && { etag }), ...(limits && { limits }) };
    }
  } else {
    const failure = failureSchema.safeParse(body);
    if (failure.success) {
      const { success: _, current, ...rest } = failure.data;
      return {
        ok: false,
        status: response.status,
        ...rest,
        ...(current && rest.code === 'version_mismatch' && { current }),
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
  return isWait(seconds) ? { retryAfterSeconds: seconds } : {};
}

/** Classifies a response that is not from Curt. Curt's own 5xx responses have its error body. */
function readForeignResponse({ status, type, headers }: Response, baseUrl: string) {
  // Browsers hide the status of a redirect, and where it goes.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return {
      code: 'redirected',
      message: describeRedirect(headers.get('location'), baseUrl),
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

function describeRedirect(location: string | null, baseUrl: string): string {
  const target = location === null ? null : URL.parse(location, baseUrl);
  if (!target) return `${baseUrl} redirects to another address. Use that address instead.`;
  const { origin, pathname } = target;
  // As the sign-in pages of proxies that ask who somebody is.
  if (origin === new URL(baseUrl).origin || !pathname.includes('/api/')) {
    return `${baseUrl} redirects to ${origin}${pathname}. If that is a page for signing in, let the proxy pass /api on without it.`;
  }
  return `${baseUrl} redirects to ${origin}. Use that address instead.`;
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
  const isComplete = limit >= 0 && remaining >= 0 && isWait(resetsInSeconds);
  return isComplete ? { limit, remaining, resetsInSeconds } : undefined;
}

function isWait(seconds: number): boolean {
  return seconds >= 0 && seconds <= WAIT_MAX_SECONDS;
}

/** @returns undefined if it is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
