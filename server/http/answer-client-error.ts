import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from '../../shared/errors.ts';
import { stopRequests } from './connections.ts';

/** How long a client has to read the answer and close its side. */
const LINGER_MS = 1000;

const ANSWERS: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The address or the headers of the request are too long.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};

/**
 * Answers what Node cannot read as HTTP, or not in time, and closes the connection. Requests before
 * it on the same connection get their answers first.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // Browsers open connections ahead of need: nobody waits for an answer there.
  const isUnused = socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || isUnused || socket.destroyed) {
    socket.destroy();
    return;
  }
  stopRequests(socket, () => {
    if (socket.writable) socket.end(toAnswer(error.code), () => closeSoon(socket));
    // Node has ended it, after an answer with `Connection: close`.
    else socket.destroySoon();
  });
}

/**
 * To close at once would reset the connection where the client still sends, and it might never see
 * the answer. To wait for the client would leave the connection half-open for good.
 */
function closeSoon(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

function toAnswer(code = ''): string {
  const [status, message] = ANSWERS[code] ?? [400, 'The request is not valid HTTP.'];
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
