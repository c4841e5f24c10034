import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { openUnread, startSmallServer } from './small-server.ts';

describe('a server with a small heap goes on if bodies', () => {
  test('arrive in parts of a byte, and never completely', async () => {
    const server = await startSmallServer();
    const head =
      'POST /api/shorten HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const body = head + '1\r\nx\r\n'.repeat(60_000);
    const sockets = await Promise.all(
      Array.from({ length: 90 }, (_, index) => openUnread(server, `127.0.0.${index + 2}`)),
    );
    await Promise.all(
      sockets.map((socket) => new Promise((done) => socket.write(body, () => done(undefined)))),
    );
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await fetch(`${server.origin}/api/health`)).status).toBe(200);
    expect(server.hasEnded()).toBe(false);
  });

  test('of one address take more than its share, which are answered as busy', async () => {
    const server = await startSmallServer();
    const head =
      'POST /nobody HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n';
    const body = `${head}f000\r\n${'x'.repeat(0xf000)}\r\n`;
    const sockets = await Promise.all(
      Array.from({ length: 400 }, () => openUnread(server, '127.0.0.2')),
    );
    const answers = sockets.map(async (socket) => {
      const [data] = await once(socket.resume(), 'data');
      return String(data).slice(9, 12);
    });
    for (const socket of sockets) socket.write(body);
    expect(await Promise.any(answers)).toBe('503');
    const other = await openUnread(server, '127.0.0.3');
    other.write(`${body}0\r\n\r\n`);
    const [data] = await once(other.resume(), 'data');
    expect(String(data).slice(9, 12)).not.toBe('503');
    for (const socket of sockets) socket.destroy();
  });
});
