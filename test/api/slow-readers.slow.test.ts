import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { unreadResponses } from '../../server/web/plugins/unread-responses.ts';
import { openConnection } from './raw-http.ts';

/** More than operating systems buffer at both ends. */
const BUFFERED_BYTES = 12 * 1024 * 1024;
const RESPONSE_BYTES = 2 * BUFFERED_BYTES;
const STREAM_BYTES = 12 * BUFFERED_BYTES;
const PART_BYTES = 64 * 1024;
const MINUTE_MS = 60_000;
const GRACE_MS = 5 * MINUTE_MS;

describe('a client that reads slowly', () => {
  test('is disconnected if it does not keep up a rate, however often it reads a byte', async () => {
    const app = await startApp();
    const { client, server } = await ask(app, '/text');
    await expect.poll(() => server.writableLength).toBeGreaterThan(0);
    const closed = once(server, 'close');
    const dueMs = GRACE_MS + RESPONSE_BYTES / 4;
    for (let ms = 0; ms < dueMs - MINUTE_MS; ms += MINUTE_MS) {
      client.read(1);
      await vi.advanceTimersByTimeAsync(MINUTE_MS);
      expect(server.destroyed).toBe(false);
    }
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    await closed;
  });

  test('gets a whole download, as long as it takes, if it reads on', async () => {
    const app = await startApp();
    const { client } = await ask(app, '/stream');
    let bytes = 0;
    let minutes = 0;
    for await (const chunk of client) {
      bytes += chunk.length;
      if (bytes < minutes * BUFFERED_BYTES) continue;
      minutes++;
      await vi.advanceTimersByTimeAsync(MINUTE_MS);
    }
    expect(minutes * MINUTE_MS).toBeGreaterThan(2 * GRACE_MS);
    expect(bytes).toBeGreaterThan(STREAM_BYTES);
  });

  test('is disconnected in the middle of a download if it stops', async () => {
    const app = await startApp();
    const { server } = await ask(app, '/stream');
    await untilFull(server);
    const closed = once(server, 'close');
    await vi.advanceTimersByTimeAsync(GRACE_MS);
    expect(server.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    await closed;
  });
});

/** Sends large responses, as a text and as a stream. The test advances its timers. */
async function startApp(): Promise<FastifyInstance> {
  const app = fastify();
  onTestFinished(() => app.close());
  await app.register(unreadResponses);
  app.get('/text', (_request, reply) => reply.type('text/plain').send('x'.repeat(RESPONSE_BYTES)));
  app.get('/stream', (_request, reply) => reply.type('text/plain').send(Readable.from(parts())));
  await app.listen({ port: 0, host: '127.0.0.1' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  return app;
}

/** Waits until the buffers of the operating system are full, and nothing more leaves the server. */
async function untilFull(server: Socket): Promise<void> {
  let sent = 0;
  await expect
    .poll(() => {
      const before = sent;
      sent = server.bytesWritten - server.writableLength;
      return sent > 0 && sent === before;
    })
    .toBe(true);
}

async function* parts() {
  for (let bytes = 0; bytes < STREAM_BYTES; bytes += PART_BYTES) yield 'x'.repeat(PART_BYTES);
}

/** Asks without reading the response. */
async function ask(
  app: FastifyInstance,
  path: string,
): Promise<{ client: Socket; server: Socket }> {
  const { client, server } = await openConnection(app);
  client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return { client, server };
}
