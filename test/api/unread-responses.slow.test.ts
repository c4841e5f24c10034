import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  accountWithLargeLinks,
  openUnread,
  type SmallServer,
  startSmallServer,
} from './small-server.ts';

/** What a small container has, for the heap and all else. */
const SMALL_MB = 512;
const LOOKS = 30;
const LOOK_MS = 100;
/** A busy machine may need it. */
const ANSWER_MS = 120_000;
/** Of the attacks; others have another one. */
const ATTACKERS = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'];

const LISTS = '/api/links?limit=100';

describe('a server with a small heap goes on if nobody reads', () => {
  // A page of large links has 1 MB. Linux buffers four of them for each connection, and the fifth one waits. Of an
  // account, 52 lists are read at a time: more connections would be refused for that.
  test.each([
    ['40 connections with 20 pipelined lists', 40, LISTS, 20, 503],
    [
      '40 connections with lists that need a look at each link',
      40,
      `${LISTS}&status=active`,
      20,
      503,
    ],
    ['100 exports', 100, '/api/links/export', 1, 503],
    ['100 exports as CSV', 100, '/api/links/export?format=csv', 1, 503],
    ['200 connections with 10,000 pipelined visits', 200, '/large-0', 10_000, 302],
  ])('%s', async (_what, connections, path, times, statusOfMore) => {
    const server = await startSmallServer();
    const token = await accountWithLargeLinks(server);
    expect(await statusOf(server, '/large-1')).toBe(302);
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const sockets = await openAll(server, connections);
    for (const socket of sockets) socket.write(request.repeat(times));
    for (let looks = 0; looks < LOOKS; looks++) {
      expect(await statusOf(server, '/api/health')).toBe(200);
      expect(await statusOf(server, '/large-1')).toBe(302);
      await setTimeout(LOOK_MS);
    }
    // As much waits for this account as may.
    await expect.poll(() => statusOf(server, path, token)).toBe(statusOfMore);
    expect(server.hasEnded()).toBe(false);
    expect(peakMemoryMb(server)).toBeLessThan(SMALL_MB);
    for (const socket of sockets) socket.destroy();
    // What nobody will read is not counted any more.
    await expect.poll(() => statusOf(server, LISTS, token)).toBe(200);
  });
});

async function openAll(server: SmallServer, count: number): Promise<Socket[]> {
  const addresses = Array.from({ length: count }, (_, index) => ATTACKERS[index % 5]);
  return Promise.all(addresses.map((address) => openUnread(server, address)));
}

async function statusOf({ origin }: SmallServer, path: string, token?: string): Promise<number> {
  const response = await fetch(origin + path, {
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  // Otherwise it would be one more that nobody reads.
  await response.arrayBuffer();
  return response.status;
}

/** On Linux. Elsewhere it must do that the server goes on. */
function peakMemoryMb({ pid }: SmallServer): number {
  if (process.platform !== 'linux') return 0;
  const [, peak] = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(peak) / 1024;
}
