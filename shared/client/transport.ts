import { z } from 'zod';
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
  /** Sent as it is, instead of `body`. */
  file?: { type: string; content: Blob | string };
  /** `same-origin` lets a proxy in front of the server recognize the person by its cookies. @default omit */
  credentials?: 'omit' | 'same-origin';
  /** Instead of that of all requests. */
  timeoutMs?: number;
};

export type Transport = ReturnType<typeof createTransport>;

/** The body of a successful response, apart from those of the health check. */
type Envelope<T> = { data: T };

const DEFAULT_TIMEOUT_MS = 10_000;
const FILE_TYPE = /^(application\/json|text\/csv)\b/i;

/** Sends requests and parses their responses. Never throws. */
export function createTransport({
  baseUrl,
  fetch = globalThis.fetch,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: ClientOptions) {
  function send(request: Call): Promise<Response> {
    const { method = 'GET', body, file, credentials = 'omit' } = request;
    const content = body === undefined ? file?.content : JSON.stringify(body);
    return fetch(toUrl(request, baseUrl), {
      method,
      headers: toHeaders(request),
      ...(content !== undefined && { body: content }),
      signal: AbortSignal.timeout(request.timeoutMs ?? timeoutMs),
      credentials,
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      // A redirect would send the URL and the token to a host that the user did not choose.
      redirect: 'manual',
    });
  }

  /** Returns the whole body. */
  async function call<T>(request: Call, schema: z.ZodType<T>): Promise<Result<T>> {
    let response: Response;
    let text: string;
    try {
      response = await send(request);
      text = await response.text();
    } catch (error) {
      return transportFailure(error, baseUrl, request.timeoutMs ?? timeoutMs);
    }
    return readResponse(response, text, schema, baseUrl);
  }

  /** Returns the body as a file. One that ends too early is an error. */
  async function callForFile(request: Call): Promise<Result<Blob>> {
    try {
      const response = await send(request);
      const isFile = response.ok && FILE_TYPE.test(response.headers.get('content-type') ?? '');
      if (isFile) return { ok: true, data: await response.blob() };
      return readResponse(response, await response.text(), z.never(), baseUrl);
    } catch (error) {
      return transportFailure(error, baseUrl, request.timeoutMs ?? timeoutMs);
    }
  }

  /** Returns the `data` of the body. */
  async function callForData<T>(request: Call, schema: z.ZodType<Envelope<T>>): Promise<Result<T>> {
    const result = await call(request, schema);
    return result.ok ? { ...result, data: result.data.data } : result;
  }

  return { call, callForData, callForFile };
}

function toUrl({ path, query = {} }: Call, baseUrl: string): URL {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function toHeaders({ token, headers = {}, body, file }: Call): Record<string, string> {
  const all = {
    authorization: token ? `Bearer ${token}` : undefined,
    'content-type': body === undefined ? file?.type : 'application/json',
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
