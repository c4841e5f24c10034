import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { MIMEType } from 'node:util';
import type {
  FastifyInstance,
  FastifyRequest,
  preParsingHookHandler,
  RequestPayload,
} from 'fastify';
import fp from 'fastify-plugin';
import { busy, ServiceError } from '../../lib/service-error.ts';
import { Shares } from '../../limits/shares.ts';
import { holdersOf } from './unread-responses.ts';

/** A body up to here always has room: one for each connection does not fill the memory. */
const SMALL_BYTES = 16 * 1024;
/** Limit of all bodies together, from their first byte until the response is sent. */
const BODIES_MAX_BYTES = 64 * 1024 * 1024;
/** Limit of the bodies of one client, network or account. */
const SHARE_BYTES = BODIES_MAX_BYTES / 4;
/** The most parts of a body. Each costs time, whatever its size, and programs send a few. */
const PARTS_MAX = 8192;

/** Makes room for a body of this size, if there is some. */
type Reserve = (bytes: number) => boolean;

/**
 * Limits the memory for the bodies of requests, however slowly and in whatever parts they arrive: Node.js has an
 * object of about 100 bytes for each part, and a part can have a single byte. Beyond it, a request is `busy`.
 * Files that are imported have a limit of their own.
 *
 * Visits are left alone: Fastify reads no body of a GET.
 *
 * @see docs/settings.md
 */
export const requestBodies = fp(async (app: FastifyInstance) => {
  const shares = new Shares({ total: BODIES_MAX_BYTES, share: SHARE_BYTES });

  const limitBody: preParsingHookHandler = (request, reply, payload, done) => {
    const { headers, routeOptions } = request;
    if (!hasBody(headers)) return done(null, emptyBody(request, payload));
    if (routeOptions.config.endpoint?.otherBody) return done(null, payload);
    // Nearly always: the rest of the packet with the headers. A stream of its own takes as long as all checks.
    if (hasArrived(payload as Readable, headers)) return done(null, payload);
    const reserve = createReserve(shares, request, reply.raw);
    done(null, new CompactBody(payload as Readable, routeOptions.bodyLimit, reserve));
  };

  app.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => BODILESS.has(method))) return;
    route.preParsing = [limitBody, ...[route.preParsing ?? []].flat()];
  });
});

const BODILESS = new Set(['GET', 'HEAD']);

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function hasArrived(body: Readable, headers: IncomingHttpHeaders): boolean {
  return body.readableLength === Number(headers['content-length']);
}

function createReserve(shares: Shares, request: FastifyRequest, response: ServerResponse): Reserve {
  let reserved = 0;
  return (bytes) => {
    if (bytes <= SMALL_BYTES) return true;
    const disconnect = () => response.socket?.destroy();
    const giveBack = shares.take(holdersOf(request), bytes - reserved, disconnect);
    if (!giveBack) return false;
    reserved = bytes;
    response.once('close', giveBack);
    return true;
  };
}

/** The same body in one part. It is read from `source` only when it is read itself. */
class CompactBody extends Readable {
  readonly #source: Readable;
  readonly #maxBytes: number;
  readonly #reserve: Reserve;
  #bytes = Buffer.alloc(0);
  #length = 0;
  #parts = 0;
  #isReading = false;

  /** @param maxBytes whoever reads it rejects more, so what follows is discarded */
  constructor(source: Readable, maxBytes: number, reserve: Reserve) {
    super();
    this.#source = source;
    this.#maxBytes = maxBytes;
    this.#reserve = reserve;
  }

  override _read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#source
      .on('data', this.#add)
      .once('end', this.#complete)
      .once('error', (error) => this.destroy(error));
  }

  readonly #add = (part: Buffer): void => {
    if (++this.#parts > PARTS_MAX) {
      // With the connection, of which the rest would have to be read otherwise.
      this.#source.destroy();
      this.destroy(new ServiceError('invalid_request', 'The body has too many parts.'));
      return;
    }
    const length = this.#length + part.length;
    if (length > this.#bytes.length && !this.#grow(length)) {
      this.#discardRest();
      this.destroy(busy('Too many large requests arrive. Try again shortly.'));
      return;
    }
    part.copy(this.#bytes, this.#length);
    this.#length = length;
    if (length > this.#maxBytes) this.#complete();
  };

  #grow(length: number): boolean {
    // Each time to twice the size, so that not much is copied.
    const size = Math.max(length, Math.min(2 * this.#bytes.length, this.#maxBytes));
    if (!this.#reserve(size)) return false;
    const bytes = Buffer.allocUnsafeSlow(size);
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
    return true;
  }

  readonly #complete = (): void => {
    if (this.readableEnded || this.destroyed) return;
    this.#discardRest();
    this.push(this.#bytes.subarray(0, this.#length));
    this.push(null);
  };

  /** So that the client can read the response. */
  #discardRest(): void {
    this.#source.off('data', this.#add).off('end', this.#complete);
    this.#source.resume();
  }
}

/**
 * Ignores the `Content-Type` of a request without a body if the endpoint needs none: many clients send
 * one with each request.
 *
 * Elsewhere it decides what is answered. With `optimizeEmptyRequests` (`http-server.ts`), the
 * request has a stream that has already ended, whose end Fastify would wait for forever, so it gets an
 * empty stream instead.
 */
function emptyBody(
  { raw, headers, routeOptions }: FastifyRequest,
  payload: RequestPayload,
): RequestPayload {
  if (headers['content-type'] === undefined) return payload;
  const { endpoint } = routeOptions.config;
  if (endpoint && !endpoint.body && !endpoint.otherBody) {
    delete headers['content-type'];
    return payload;
  }
  return raw.readableEnded ? Readable.from([]) : payload;
}

/**
 * Parses all bodies as JSON. Clients send a `Content-Type` with calls that have no body, too, and it
 * may be any; whether there is a body is known only once it has been read.
 */
export const strictJson = fp(async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      const isExpected = request.routeOptions.config.endpoint?.body !== undefined;
      if (body.length === 0 && !isExpected) return done(null, undefined);
      assertJsonBody(request.headers);
      done(null, parseJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
});

/** US-ASCII is a part of UTF-8. */
const UTF8 = /^(?:utf-?8|us-ascii)$/i;

/**
 * Requires a body of one of these media types, in UTF-8 and not compressed. Other parameters of the type
 * mean nothing.
 *
 * @param howTo what to send instead of another type, a sentence
 * @throws ServiceError `unsupported_media_type`
 */
export function assertContentType(
  { 'content-type': type = '', 'content-encoding': encoding }: IncomingHttpHeaders,
  types: readonly string[],
  howTo: string,
): void {
  if (encoding !== undefined && !/^(?:identity)?$/i.test(encoding)) {
    throw unsupported(`Send the body uncompressed, not with "Content-Encoding: ${encoding}".`);
  }
  if (types.includes(type)) return;
  const mime = parse(type);
  if (mime === undefined || !types.includes(mime.essence)) throw unsupported(howTo);
  const charset = mime.params.get('charset');
  if (charset === null || charset === '' || UTF8.test(charset)) return;
  throw unsupported(`Send the body in UTF-8, not in ${charset}.`);
}

function parse(type: string): MIMEType | undefined {
  try {
    return new MIMEType(type);
  } catch {
    return undefined;
  }
}

function unsupported(message: string): ServiceError {
  return new ServiceError('unsupported_media_type', message);
}

/** @throws ServiceError `unsupported_media_type` unless the body is JSON, in UTF-8 and not compressed */
export function assertJsonBody(headers: IncomingHttpHeaders): void {
  assertContentType(
    headers,
    ['application/json'],
    'Send the body as JSON, with the header "Content-Type: application/json".',
  );
}

/** Begins a body, or the first name in it, whose quotes are missing, or are others than JSON's. */
const UNQUOTED = /^\s*(?:[{[]\s*)?[\p{L}_$'\\‘’“”]/u;
const QUOTES_HINT =
  'Names and texts need straight double quotes ("). Some shells remove them: write the body to a file, and send it with "curl -d @body.json".';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body as JSON in strict UTF-8. Otherwise invalid bytes would become replacement characters.
 *
 * @throws ServiceError `invalid_json`, with what JavaScript says of the error
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw new ServiceError('invalid_json', 'The body is empty.');
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw new ServiceError('invalid_json', 'The body is not valid UTF-8.');
  }
  try {
    // The schema rejects unknown keys, including `__proto__`, so the parser does not have to check them.
    return JSON.parse(text);
  } catch (error) {
    const hint = UNQUOTED.test(text) ? ` ${QUOTES_HINT}` : '';
    const { message } = error as SyntaxError;
    throw new ServiceError('invalid_json', `The body is not valid JSON: ${message}.${hint}`);
  }
}
