import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export type Forwarded = { status: number; headers: Record<string, string>; body: Buffer };

/** A server that breaks the connection if `answer` fails, as when the server behind it has stopped. */
export function createProxy(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server {
  return createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Forwards a request to a real server. @returns the complete, uncompressed response */
export async function forward(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer,
  server: string,
): Promise<Forwarded> {
  const { host: _, connection: __, 'content-length': ___, ...asked } = headers;
  const answer = await fetch(new URL(url, server), {
    method,
    headers: asked as Record<string, string>,
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  const {
    'content-encoding': ____,
    'transfer-encoding': _____,
    ...sent
  } = Object.fromEntries(answer.headers);
  return { status: answer.status, headers: sent, body: Buffer.from(await answer.arrayBuffer()) };
}
