import { createServer, type RequestListener, type Server } from 'node:http';
import { limitPipelining } from './connections.ts';
import { maxConnections } from './max-connections.ts';

/** How long the headers of a request may take to arrive, from its first byte or the connection on. */
const HEADERS_TIMEOUT_MS = 15_000;
/** How long a whole request may take to arrive. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node looks for requests that exceed the two limits above; its own default is 30 s. */
const CHECK_INTERVAL_MS = 5000;
/**
 * How long a connection may move no byte in either direction while a request is under way: this
 * ends one whose client does not read its answers. Above the limits above, so that a client that
 * sends too slowly gets its 408 first.
 */
const INACTIVITY_TIMEOUT_MS = 45_000;
/** Longer than the usual 60 s of a reverse proxy, which is to be the one that closes. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const DROP_INTERVAL_MS = 1000;

/** The HTTP server, with all limits on what a connection may hold. */
export function createHttpServer(handler: RequestListener): Server {
  const listener = limitPipelining(handler);
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // Node's answers to a missing Host and an unknown Expect have no body: the app answers them.
      requireHostHeader: false,
      // Few requests have a body, and its stream takes a tenth of a redirect's time.
      optimizeEmptyRequests: true,
    },
    listener,
  );
  server.on('checkExpectation', listener);
  // Else a client that ends its side after a request has it handled, and gets no answer. It is in
  // no documentation of Node's; without it, that is all that is lost.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.timeout = INACTIVITY_TIMEOUT_MS;
  server.maxConnections = maxConnections();
  closeIdleConnectionsWhenFull(server);
  return server;
}

/** Connections that wait for a next request make room for new ones. */
function closeIdleConnectionsWhenFull(server: Server): void {
  let last = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    // Looking for them takes a walk over all connections.
    if (performance.now() - last < DROP_INTERVAL_MS) return;
    last = performance.now();
    server.closeIdleConnections();
  });
}
