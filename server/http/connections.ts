import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Unanswered requests of one connection. Browsers and proxies send one at a time. */
const MAX_UNANSWERED = 32;
/** More requests than fit into the 64 KiB that Node reads, and parses, at once. */
const MAX_IGNORED = 4000;

class Connection {
  readonly unanswered = new Set<ServerResponse>();
  /** Requests that came after the last one that is answered. */
  ignored = 0;
  isClosing = false;
  isStopped = false;
}

/** On the socket itself: a look-up in a map, twice a request, would take longer. */
const CONNECTION = Symbol('connection');
type ServerSocket = Socket & { [CONNECTION]?: Connection };

/**
 * Bounds what pipelined requests hold in memory: after 32 unanswered ones, those are answered and
 * the connection is closed, so the client may send the others again (RFC 9112, section 9.3.2).
 *
 * Node itself stops reading from a client that does not read its answers, but only between two
 * reads: one read can hold thousands of requests.
 */
export function limitPipelining(handler: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    const connection = connectionOf(socket);
    if (connection.isClosing) {
      if (++connection.ignored > MAX_IGNORED) socket.destroy();
      return;
    }
    connection.unanswered.add(response);
    response.on('close', forget);
    if (connection.unanswered.size === MAX_UNANSWERED) {
      connection.isClosing = true;
      response.setHeader('connection', 'close');
    }
    handler(request, response);
  };
}

/**
 * Takes no more requests from a connection, and calls back once those that arrived whole are
 * answered. A second call for the same connection does nothing: the first one stands.
 */
export function stopRequests(socket: Socket, whenAnswered: () => void): void {
  const connection = connectionOf(socket);
  if (connection.isStopped) return;
  connection.isStopped = true;
  connection.isClosing = true;
  // Answers are sent in the order of their requests.
  const last = [...connection.unanswered].findLast(({ req }) => req.complete);
  if (last === undefined) whenAnswered();
  else last.once('close', whenAnswered);
}

function connectionOf(socket: ServerSocket): Connection {
  socket[CONNECTION] ??= new Connection();
  return socket[CONNECTION];
}

function forget(this: ServerResponse): void {
  (this.req.socket as ServerSocket)[CONNECTION]?.unanswered.delete(this);
}
