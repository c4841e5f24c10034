import type { z } from 'zod';
import { readResponse } from './read-response.ts';
import type { Failure, Result } from './result.ts';

export type ClientOptions = {
  /** Origin of the server, such as `http://localhost:2878`. */
  baseUrl: string;
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch;
  /** Milliseconds for a request, including the response body. @default 10_000 */
  timeoutMs?: number;
};

export type Call = {
  /** @default GET */
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Such as `/api/links`. */
  path: string;
  /** Undefined values are omitted. */
  query?: Record<string, string | number | boolean | undefined>;
  token?: string | undefined;
  headers?: Record<string, string | undefined>;
  /** Sent as JSON. */
  body?: unknown;
};

export type Transport = ReturnType<typeof createTransport>;

/** The body of a successful response, apart from those of the health check. */
type Envelope<T> = { data: T };

const DEFAULT_TIMEOUT_MS = 10_000;

/** Sends requests and parses their responses. Never throws. */
export function createTransport({
  baseUrl,
  fetch = globalThis.fetch,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: ClientOptions) {
  /** Returns the whole body. */
  async function call<T>(request: Call, schema: z.ZodType<T>): Promise<Result<T>> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(toUrl(request, baseUrl), {
        method: request.method ?? 'GET',
        headers: toHeaders(request),
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
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

  /** Returns the `data` of the body. */
  async function callForData<T>(request: Call, schema: z.ZodType<Envelope<T>>): Promise<Result<T>> {
    const result = await call(request, schema);
    return result.ok ? { ...result, data: result.data.data } : result;
  }

  return { call, callForData };
}

function toUrl({ path, query = {} }: Call, baseUrl: string): URL {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function toHeaders({ token, headers = {}, body }: Call): Record<string, string> {
  const all = {
    authorization: token ? `Bearer ${token}` : undefined,
    'content-type': body === undefined ? undefined : 'application/json',
    ...headers,
  };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
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
