import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limit of pending requests per connection. Browsers and proxies send one at a time. */
const MAX_UNANSWERED = 32;
/** More requests than fit into the 64 KiB that Node.js reads and parses at once. */
const MAX_IGNORED = 4000;

class Connection {
  readonly unanswered = new Set<ServerResponse>();
  /** Requests that arrived after the last one that will be answered. */
  ignored = 0;
  isClosing = false;
  isStopped = false;
}

/** On the socket itself: a look-up in a map, twice a request, would take longer. */
const CONNECTION = Symbol('connection');
type ServerSocket = Socket & { [CONNECTION]?: Connection };

/**
 * Limits the memory for pipelined requests: after 32 pending requests, these are answered and the
 * connection is closed, so that the client can retry the others (RFC 9112, section 9.3.2).
 *
 * Node.js stops reading from a client that does not read its responses, but only between two reads,
 * and one read can contain thousands of requests.
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
    response.on('close', removeResponse);
    if (connection.unanswered.size === MAX_UNANSWERED) {
      connection.isClosing = true;
      response.setHeader('connection', 'close');
    }
    handler(request, response);
  };
}

/**
 * Whether a response would be sent at once, because its connection has no pending ones. If it is ended
 * at once, too, it needs no limit.
 */
export function isNext({ socket }: { socket: ServerSocket | null }): boolean {
  return socket !== null && socket[CONNECTION]?.isClosing !== true;
}

/**
 * Accepts no more requests from a connection and calls back once all complete requests are answered.
 * Further calls for the same connection do nothing.
 */
export function stopRequests(socket: Socket, whenAnswered: () => void): void {
  const connection = connectionOf(socket);
  if (connection.isStopped) return;
  connection.isStopped = true;
  connection.isClosing = true;
  // Responses are sent in the order of the requests.
  const last = [...connection.unanswered].findLast(({ req }) => req.complete);
  if (last === undefined) whenAnswered();
  else last.once('close', whenAnswered);
}

/**
 * Whether the server is working on a request: it has arrived completely, and nothing of its response
 * waits for the client to read it.
 */
export function isWorkingFor(socket: ServerSocket): boolean {
  if (socket.writableLength > 0) return false;
  return [...(socket[CONNECTION]?.unanswered ?? [])].some(({ req }) => req.complete);
}

function connectionOf(socket: ServerSocket): Connection {
  socket[CONNECTION] ??= new Connection();
  return socket[CONNECTION];
}

function removeResponse(this: ServerResponse): void {
  (this.req.socket as ServerSocket)[CONNECTION]?.unanswered.delete(this);
}
