import { systemTime, type Time, timeoutSignal } from '../time.ts';

export type RequestOptions = {
  /** Origin of the server, such as `http://localhost:2878`. */
  baseUrl: string;
  /** Milliseconds for a request, including the response body. @default 10_000 */
  timeoutMs?: number;
  /** @default systemTime */
  time?: Time;
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
  file?: Blob | string;
  /** `same-origin` lets a proxy in front of the server recognize the person by its cookies. @default omit */
  credentials?: 'omit' | 'same-origin';
  /** Instead of that of all requests. */
  timeoutMs?: number;
};

export const DEFAULT_TIMEOUT_MS = 10_000;

/** Returns the arguments of `fetch` for a call. Its timeout starts now. */
export function toRequest(
  call: Call,
  { baseUrl, timeoutMs = DEFAULT_TIMEOUT_MS, time = systemTime }: RequestOptions,
): [url: URL, init: RequestInit] {
  const { method = 'GET', body, file, credentials = 'omit' } = call;
  const content = body === undefined ? file : JSON.stringify(body);
  return [
    toUrl(call, baseUrl),
    {
      method,
      headers: toHeaders(call),
      ...(content !== undefined && { body: content }),
      signal: timeoutSignal(time, call.timeoutMs ?? timeoutMs),
      credentials,
      // Only reads can be answered from the cache. Without this, Chromium remembers the preflight of a write.
      ...(method === 'GET' && { cache: 'no-store' }),
      referrerPolicy: 'no-referrer',
      // A redirect would send the URL and the token to a host that the user did not choose.
      redirect: 'manual',
    },
  ];
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
    ...(token && { authorization: `Bearer ${token}` }),
    ...(file !== undefined && { 'content-type': 'application/octet-stream' }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  };
  // An empty `If-Match` is sent, so that the request fails: without it, it would be unconditional.
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
