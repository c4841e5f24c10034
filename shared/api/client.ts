import { z } from 'zod';
import type { Result } from '../client/result.ts';
import { type ClientOptions, createTransport, type Transport } from '../client/transport.ts';
import type { ADMIN_ENDPOINTS } from './admin-endpoints.ts';
import type { EndpointSchemas, Endpoints } from './endpoint.ts';

/** Files are larger than other bodies, and many links take a while. */
const SLOW_TIMEOUT_MS = 5 * 60_000;

type InputOf<E, Name extends string> =
  E extends Record<Name, infer S extends z.ZodType> ? z.input<S> : unknown;

/** What a call has: parameters of path and query by their names, the body, and who calls. */
export type Input<E> = InputOf<E, 'params'> &
  InputOf<E, 'query'> &
  (E extends { body: infer S extends z.ZodType } ? { body: z.input<S> } : unknown) &
  (E extends { sendsFile: true } ? { file: Blob | string } : unknown) &
  (E extends { headers: { shape: infer H } } ? HeadersOf<H> : unknown) & {
    /** Instead of that of the client. */
    token?: string | undefined;
  };

type HeadersOf<H> = ('If-Match' extends keyof H
  ? {
      /** Fails with `version_mismatch` unless the link still has this `etag`. */
      ifMatch?: string | undefined;
    }
  : unknown) &
  ('Idempotency-Key' extends keyof H
    ? {
        /** Makes retries safe: 16 to 255 visible ASCII characters; without a token, a random UUID (version 4 or 7). */
        idempotencyKey?: string | undefined;
      }
    : unknown);

/** A file, the whole body of what has more than `data`, such as a page with its cursor, else the `data`. */
export type Output<E> = E extends { answersFile: true }
  ? Blob
  : E extends { answer: infer S extends z.ZodType }
    ? DataOf<z.output<S>>
    : never;

type DataOf<B> = B extends { data: infer D }
  ? Exclude<keyof B, 'success' | 'message' | 'data'> extends never
    ? D
    : B
  : B;

/** A method for each endpoint, of its name. */
export type ApiClient<T> = {
  -readonly [Name in keyof T]: (
    ...input: object extends Input<T[Name]> ? [input?: Input<T[Name]>] : [input: Input<T[Name]>]
  ) => Promise<Result<Output<T[Name]>>>;
};

export type AdminClient = ApiClient<typeof ADMIN_ENDPOINTS>;

export type ApiClientOptions = ClientOptions & { token?: string | undefined };

/**
 * Creates a client for the endpoints of a table. Its methods never throw: errors, timeouts, failed connections and
 * responses of other programs are returned as a `Result`.
 */
export function createApiClient<T extends Endpoints>(
  endpoints: T,
  { token, ...options }: ApiClientOptions,
): ApiClient<T> {
  const transport = createTransport(options);
  const methods = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    (input: AnyInput = {}) => send(transport, endpoint, { token, ...input }),
  ]);
  return Object.fromEntries(methods);
}

type Parameters = Record<string, string | number | boolean | undefined>;
type AnyInput = {
  token?: string | undefined;
  body?: unknown;
  file?: Blob | string;
  ifMatch?: string;
  idempotencyKey?: string;
};

async function send(
  { call, callForFile }: Transport,
  { route, answer, answersFile, isSlow, isSameOrigin }: EndpointSchemas,
  { token, body, file, ifMatch, idempotencyKey, ...parameters }: AnyInput,
): Promise<Result<unknown>> {
  const [method, path] = route.split(' ') as ['GET', string];
  const query = { ...parameters } as Parameters;
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(query[name]);
    delete query[name];
    return encodeURIComponent(value);
  });
  const request = {
    ...{ method, path: `/api${filled}`, query, token, body },
    ...(file !== undefined && { file }),
    headers: { 'if-match': ifMatch, 'idempotency-key': idempotencyKey },
    ...(isSlow && { timeoutMs: SLOW_TIMEOUT_MS }),
    ...(isSameOrigin && { credentials: 'same-origin' as const }),
  };
  if (answersFile) return callForFile(request);
  const result = await call(request, answer ?? z.never());
  return result.ok && answer && hasOnlyData(answer)
    ? { ...result, data: (result.data as { data: unknown }).data }
    : result;
}

function hasOnlyData({ shape }: z.ZodObject): boolean {
  return 'data' in shape && Object.keys(shape).length === Object.keys(envelopeShape).length;
}

const envelopeShape = { success: true, message: true, data: true };
