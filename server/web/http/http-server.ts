import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from '../../../shared/error-body.ts';
import { systemTime, type Time } from '../../../shared/time.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { arrivingRequest, isWorkingFor, stopRequests } from './connections.ts';
import { keepConnectionsFree } from './scarce-connections.ts';

/** How long the headers of a request may take, from its first byte or from the connection on. */
const HEADERS_TIMEOUT_MS = 15_000;
/** How long a complete request may take to arrive, unless its body keeps arriving. */
const REQUEST_TIMEOUT_MS = 30_000;
/** What has to arrive between two checks of a body that takes longer: a line of 1 Mbit/s has ten times as much. */
const BODY_MIN_BYTES = 64 * 1024;
/** The longest that a body may take. The largest file takes as long at 28 kB a second. */
const BODY_MAX_MS = 10 * MINUTE_MS;
/** How often Node.js checks the two timeouts above. Its default is 30 s. */
const CHECK_INTERVAL_MS = 5000;
/**
 * How long a connection may be inactive in both directions, unless the server is working on a request.
 * This closes connections of clients that do not read their responses. Longer than the timeouts above, so
 * that a client that sends too slowly gets its 408 first.
 */
const INACTIVITY_TIMEOUT_MS = 45_000;
/** Longer than the usual 60 s of reverse proxies, so that the proxy closes the connection. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** Creates the HTTP server with all timeouts and limits on connections. */
export function createHttpServer(listener: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // Responses of Node.js to a missing Host or an unknown Expect have no body, so the app sends them.
      requireHostHeader: false,
      // Few requests have a body, and its stream takes a tenth of a redirect's time.
      optimizeEmptyRequests: true,
    },
    listener,
  );
  server.on('checkExpectation', listener);
  // Otherwise a client that half-closes the connection after its request gets no response. Node.js
  // does not document this option; if it disappears, only this case is affected.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.timeout = INACTIVITY_TIMEOUT_MS;
  // A listener replaces the default, which is to close the connection. Activity starts the time again.
  server.on('timeout', (socket: Socket) => {
    if (!isWorkingFor(socket)) socket.destroy();
  });
  server.maxConnections = maxConnections();
  keepConnectionsFree(server);
  return server;
}

/** If no client read its responses, more would exceed the memory of a small machine. */
const MAX_CONNECTIONS = 4000;
/** File descriptors for Node.js and the store. */
const RESERVED_FILES = 100;
/** The minimum, for a few clients at a time. */
const MIN_CONNECTIONS = 16;

/**
 * Returns the maximum number of connections. Each needs a file descriptor; without free ones, the store could not
 * write.
 */
export function maxConnections(openFiles = openFilesLimit()): number {
  return Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, openFiles - RESERVED_FILES));
}

let limit: number | undefined;

/** `ulimit -n`, or infinity on systems without this limit, such as Windows. */
function openFilesLimit(): number {
  // The report is slow to make.
  limit ??= readLimit();
  return limit;
}

function readLimit(): number {
  // Without the network part, which needs a DNS lookup for each address.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport() as Report;
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

type Report = { userLimits?: { open_files?: { soft: number | 'unlimited' } } };

/** How long a client has to read the response and close the connection. */
const LINGER_MS = 1000;

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';
const UNENCODED =
  'The URL has characters that must be percent-encoded, such as a space (%20) or ü (%C3%BC).';
const RESPONSES = new Map(
  Object.entries<[status: number, message: string]>({
    HPE_HEADER_OVERFLOW: [431, 'The URL or the headers of the request are too long.'],
    HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too long.'],
    HPE_INVALID_METHOD: [
      400,
      'The method is none of HTTP. Write it in capital letters, such as PATCH.',
    ],
    HPE_INVALID_URL: [400, UNENCODED],
    // A space ends the URL, and what follows is no version of HTTP.
    HPE_INVALID_CONSTANT: [400, UNENCODED],
    [TIMEOUT]: [408, 'The request took too long to arrive.'],
  }),
);

/**
 * Responds to invalid HTTP and to requests that arrive too slowly, and closes the connection. Earlier
 * requests on the same connection get their responses first.
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  time: Time = systemTime,
): void {
  // Browsers open connections in advance and do not expect a response on unused ones.
  const isUnused = socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || isUnused || socket.destroyed) {
    socket.destroy();
    return;
  }
  const answer = () =>
    stopRequests(socket, () => {
      if (socket.writable) socket.end(toResponse(error.code), () => closeSoon(socket, time));
      // Node.js has already ended it after a response with `Connection: close`.
      else socket.destroySoon();
    });
  const request = error.code === TIMEOUT ? arrivingRequest(socket) : undefined;
  if (request) waitForBody(request, time, answer);
  else answer();
}

/**
 * Gives a body more time as long as it keeps arriving, or waits for the server to read it: large files take long on
 * slow lines, and files that are imported at once are read by turns. What has arrived takes room that others need, so
 * that ends, too.
 */
function waitForBody(
  request: IncomingMessage,
  time: Time,
  onStalled: () => void,
  leftMs = BODY_MAX_MS,
): void {
  const { socket } = request;
  const before = socket.bytesRead;
  const cancel = time.after(CHECK_INTERVAL_MS, () => {
    socket.off('close', cancel);
    if (request.complete) return;
    // Nobody reads the rest of what is answered.
    if (arrivingRequest(socket) !== request) return onStalled();
    const isArriving = socket.bytesRead - before >= BODY_MIN_BYTES;
    const isGoingOn = leftMs > 0 && (isArriving || request.readableLength > 0);
    if (isGoingOn) waitForBody(request, time, onStalled, leftMs - CHECK_INTERVAL_MS);
    else onStalled();
  });
  socket.once('close', cancel);
}

/**
 * Closing immediately would reset the connection if the client is still sending, and the client might
 * not get the response. Waiting for the client could leave the connection half-open forever.
 */
function closeSoon(socket: Socket, time: Time): void {
  const cancel = time.after(LINGER_MS, () => {
    socket.destroy();
  });
  socket.once('close', cancel);
}

function toResponse(code = ''): string {
  const [status, message] = RESPONSES.get(code) ?? [400, 'The request is not valid HTTP.'];
  const body = JSON.stringify({
    success: false,
    message,
    code: 'invalid_request',
  } satisfies ErrorBody);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
