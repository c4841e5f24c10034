import { z } from 'zod';
import { readResponse } from './read-response.ts';
import { type Call, DEFAULT_TIMEOUT_MS, type RequestOptions, toRequest } from './request.ts';
import type { Failure, Result } from './result.ts';

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
  explain = (failure) => failure,
}: ClientOptions) {
  function send(request: Call): Promise<Response> {
    return fetch(...toRequest(request, { baseUrl, timeoutMs }));
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
