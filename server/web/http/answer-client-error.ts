import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from '../../../shared/errors.ts';
import { stopRequests } from './connections.ts';

/** How long a client has to read the response and close the connection. */
const LINGER_MS = 1000;

const RESPONSES = new Map(
  Object.entries<[status: number, message: string]>({
    HPE_HEADER_OVERFLOW: [431, 'The URL or the headers of the request are too long.'],
    HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too long.'],
    ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
  }),
);

/**
 * Responds to invalid HTTP and to requests that arrive too slowly, and closes the connection. Earlier
 * requests on the same connection get their responses first.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // Browsers open connections in advance and do not expect a response on unused ones.
  const isUnused = socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || isUnused || socket.destroyed) {
    socket.destroy();
    return;
  }
  stopRequests(socket, () => {
    if (socket.writable) socket.end(toResponse(error.code), () => closeSoon(socket));
    // Node.js has already ended it after a response with `Connection: close`.
    else socket.destroySoon();
  });
}

/**
 * Closing immediately would reset the connection if the client is still sending, and the client might
 * not get the response. Waiting for the client could leave the connection half-open forever.
 */
function closeSoon(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
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
