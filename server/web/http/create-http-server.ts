import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { isWorkingFor } from './connections.ts';
import { maxConnections } from './max-connections.ts';

/** How long the headers of a request may take, from its first byte or from the connection on. */
const HEADERS_TIMEOUT_MS = 15_000;
/** How long a complete request may take to arrive. */
const REQUEST_TIMEOUT_MS = 30_000;
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
const DROP_INTERVAL_MS = 1000;

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
  closeIdleConnectionsWhenFull(server);
  return server;
}

/** Closes idle connections, so that new ones are accepted. */
function closeIdleConnectionsWhenFull(server: Server): void {
  let last = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    // Finding them means iterating over all connections.
    if (performance.now() - last < DROP_INTERVAL_MS) return;
    last = performance.now();
    server.closeIdleConnections();
  });
}
