import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limit of pending requests per connection. Browsers and proxies send one at a time. */
const MAX_UNANSWERED = 32;
/** More requests than fit into the 64 KiB that Node.js reads and parses at once. */
const MAX_IGNORED = 4000;
/**
 * The limit of all connections together. A request that waits or is ignored takes about 2 kB, and its headers
 * up to 16 KiB.
 */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
const REQUEST_BYTES = 2048;

class Connection {
  /** The responses in the order of their requests. The server works on the first one only. */
  readonly unanswered = new Set<ServerResponse>();
  /** Requests that arrived after the last one that will be answered. */
  ignored = 0;
  /** The bytes of all requests that wait or are ignored. */
  waitingBytes: number | undefined;
  isClosing = false;
  isStopped = false;
}

/** On the socket itself: a look-up in a map, twice a request, would take longer. */
const CONNECTION = Symbol('connection');
type ServerSocket = Socket & { [CONNECTION]?: Connection };

/**
 * Works on one request of a connection at a time: the next one has to wait until the client has read the
 * response. After 32 pending requests, these are answered and the connection is closed, so that the client
 * can retry the others (RFC 9112, section 9.3.2).
 *
 * Node.js stops reading from a client that does not read its responses, but only between two reads, and one
 * read can contain thousands of requests. So the memory of all that wait is limited, too.
 */
export function limitPipelining(handler: RequestListener): RequestListener {
  let waitingBytes = 0;

  function wait(connection: Connection, request: IncomingMessage): void {
    const { socket } = request;
    if (connection.waitingBytes === undefined) {
      socket.once('close', () => add(connection, -(connection.waitingBytes ?? 0)));
    }
    add(connection, bytesOf(request));
    if (waitingBytes > MAX_WAITING_BYTES) socket.destroy();
  }

  function add(connection: Connection, bytes: number): void {
    connection.waitingBytes = (connection.waitingBytes ?? 0) + bytes;
    waitingBytes += bytes;
  }

  function answerNext(this: ServerResponse): void {
    const { socket } = this.req;
    const connection = connectionOf(socket);
    connection.unanswered.delete(this);
    const [next] = connection.unanswered;
    if (!next || socket.destroyed) return;
    add(connection, -bytesOf(next.req));
    handler(next.req, next);
  }

  return (request, response) => {
    const { socket } = request;
    const connection = connectionOf(socket);
    if (connection.isClosing) {
      wait(connection, request);
      if (++connection.ignored > MAX_IGNORED) socket.destroy();
      return;
    }
    const isNext = connection.unanswered.size === 0;
    // Without a socket, it is sent after those before it.
    const isAtOnce = isNext && response.socket !== null;
    if (isAtOnce) handler(request, response);
    // Most visits: what is sent at once needs no limit.
    if (isAtOnce && response.writableEnded) return;
    connection.unanswered.add(response);
    response.on('close', answerNext);
    if (connection.unanswered.size === MAX_UNANSWERED) {
      connection.isClosing = true;
      response.setHeader('connection', 'close');
    }
    if (!isNext) wait(connection, request);
    else if (!isAtOnce) handler(request, response);
  };
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
 * Whether the server is working on a request: it has arrived completely, or what has arrived of it is not yet
 * read, and nothing of its response waits for the client to read it.
 */
export function isWorkingFor(socket: ServerSocket): boolean {
  const { unanswered } = socket[CONNECTION] ?? {};
  if (!unanswered || unanswered.size === 0 || socket.writableLength > 0) return false;
  return [...unanswered].some(({ req }) => req.complete || req.readableLength > 0);
}

/** The request of which only a part of the body has arrived, if there is one. */
export function arrivingRequest(socket: ServerSocket): IncomingMessage | undefined {
  const last = [...(socket[CONNECTION]?.unanswered ?? [])].at(-1);
  return last?.req.complete === false ? last.req : undefined;
}

function bytesOf({ url = '', rawHeaders }: IncomingMessage): number {
  return REQUEST_BYTES + url.length + rawHeaders.join('').length;
}

function connectionOf(socket: ServerSocket): Connection {
  socket[CONNECTION] ??= new Connection();
  return socket[CONNECTION];
}
