import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createClient } from '../../shared/client.ts';
import { dataOf } from '../support/data-of.ts';
import { newTestData } from './data/test-data.ts';

/** As in a small container. */
const HEAP_MB = 512;

export type SmallServer = Awaited<ReturnType<typeof startSmallServer>>;

/** The server as a process of its own, with the default limits and a heap that is easy to fill. */
export async function startSmallServer(env: Record<string, string> = {}) {
  const { url } = await newTestData();
  const { NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, 'server/main.ts'], {
    env: { PORT: '0', STORE_URL: url, LOG_LEVEL: 'fatal', NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (output.includes('listens on')) break;
  }
  child.stdout.resume();
  const port = Number(/localhost:(\d+)/.exec(output)?.[1]);
  if (!port) throw new Error(`the server did not start: ${output}`);
  const origin = `http://127.0.0.1:${port}`;
  return {
    pid: child.pid ?? 0,
    port,
    origin,
    client: createClient({ baseUrl: origin }),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  };
}

/** A connection from an own address, so that it is a client of its own. Reads nothing until it is told to. */
export async function openUnread(
  { port }: SmallServer,
  localAddress = '127.0.0.1',
): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {}).pause();
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  return socket;
}

/** An account with many large links: about 7 MB. */
export async function accountWithLargeLinks({ origin, client }: SmallServer): Promise<string> {
  const { authToken } = dataOf(
    await client.createLink({ body: { originalUrl: 'https://example.com/first' } }),
  );
  const links = Array.from({ length: 400 }, (_, index) => largeLink(index));
  const response = await fetch(`${origin}/api/links/import?from=curt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${authToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ curt: 'links', version: 1, links }),
  });
  const { data } = (await response.json()) as { data: { imported: number } };
  if (data.imported !== links.length) throw new Error(`${data.imported} links were imported`);
  return authToken;
}

/** As large as all limits allow. */
function largeLink(index: number) {
  const url = (name: string) => `https://example.com/${name}/${index}/${'x'.repeat(7900)}`;
  return {
    alias: `large-${index}`,
    originalUrl: url('first'),
    description: '\u4e00'.repeat(2000),
    rules: [{ device: 'phone', originalUrl: url('phone') }],
    created: new Date(Date.UTC(2026, 0, 1) + index).toISOString(),
  };
}
