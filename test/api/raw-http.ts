import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { BROWSER } from './visits/visiting.ts';

/** The client's and the server's socket of a real connection. */
export type Connection = { client: Socket; server: Socket };

/** Connects to the app, which starts to listen on a free port at the first call. */
export async function openConnection(
  app: FastifyInstance,
  { localAddress = '127.0.0.1' } = {},
): Promise<Connection> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the app does not listen');
  // Half-open, so that the server has to close the connection.
  const client = connect({
    ...{ port: address.port, host: '127.0.0.1', localAddress },
    allowHalfOpen: true,
  });
  client.on('error', () => {});
  onTestFinished(() => {
    client.destroy();
  });
  const [server] = (await once(app.server, 'connection')) as [Socket];
  return { client, server };
}

/** Sends bytes over a new connection and reads until the server closes it. */
export async function talk(app: FastifyInstance, text: string): Promise<string> {
  const { client } = await openConnection(app);
  client.write(text);
  return readAll(client);
}

/** Visits a link over a real connection. */
export async function visit(
  { app }: { app: FastifyInstance },
  path: string,
  { method = 'GET', userAgent = BROWSER } = {},
): Promise<void> {
  const { client } = await openConnection(app);
  client.end(`${method} ${path} HTTP/1.1\r\nHost: s.example\r\nUser-Agent: ${userAgent}\r\n\r\n`);
  await readAll(client);
}

/** Everything that the server sends until it closes the connection. */
export async function readAll(client: Socket): Promise<string> {
  let text = '';
  client.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => client.once('end', resolve).once('close', resolve));
  return text;
}

/** The status codes of all responses in a text. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
}
