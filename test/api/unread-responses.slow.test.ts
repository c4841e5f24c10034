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
/** Without limits, the server ended within 2 seconds, in which it never rested. */
const WATCH_MS = 3000;
const LOOK_MS = 100;
/** After so many looks at a server that rests, nothing more will happen. */
const RESTING_LOOKS = 4;
/** In clock ticks of 10 ms, of which a visit and a health check take one at most. */
const RESTING_TICKS = 1;
/** A busy machine may need it. */
const ANSWER_MS = 120_000;
/** Of the attacks; others have another one. */
const ATTACKERS = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'];

const LISTS = '/api/links?limit=100';

describe('a server with a small heap goes on if nobody reads', () => {
  test.each([
    ['80 connections with 30 pipelined lists', 80, LISTS, 30],
    ['80 connections with lists that need a look at each link', 80, `${LISTS}&status=active`, 30],
    ['400 connections with a list each', 400, `${LISTS}&sort=visits`, 1],
    ['100 exports', 100, '/api/links/export', 1],
    ['100 exports as CSV', 100, '/api/links/export?format=csv', 1],
    ['400 connections with the description of the API', 400, '/api/openapi.json', 30],
    ['200 connections with 10,000 pipelined visits', 200, '/large-0', 10_000],
  ])('%s', async (_what, connections, path, times) => {
    const server = await startSmallServer();
    const token = await accountWithLargeLinks(server);
    await expectVisit(server);
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const sockets = await openAll(server, connections);
    for (const socket of sockets) socket.write(request.repeat(times));
    const end = performance.now() + WATCH_MS;
    for (let looks = 0; looks < RESTING_LOOKS && performance.now() < end; looks++) {
      const before = ticksOf(server);
      expect((await fetchFrom(server, '/api/health')).status).toBe(200);
      await expectVisit(server);
      await setTimeout(LOOK_MS);
      if (!(ticksOf(server) - before <= RESTING_TICKS)) looks = -1;
    }
    expect(server.hasEnded()).toBe(false);
    expect(peakMemoryMb(server)).toBeLessThan(SMALL_MB);
    for (const socket of sockets) socket.destroy();
    // What nobody will read is not counted any more.
    await expect.poll(async () => (await fetchFrom(server, LISTS, token)).status).toBe(200);
  });
});

async function openAll(server: SmallServer, count: number): Promise<Socket[]> {
  const addresses = Array.from({ length: count }, (_, index) => ATTACKERS[index % 5]);
  return Promise.all(addresses.map((address) => openUnread(server, address)));
}

async function expectVisit(server: SmallServer): Promise<void> {
  const { status } = await fetchFrom(server, '/large-1');
  expect(status).toBe(302);
}

function fetchFrom({ origin }: SmallServer, path: string, token?: string): Promise<Response> {
  return fetch(origin + path, {
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
}

/** The processor time that it has taken, on Linux. */
function ticksOf({ pid }: SmallServer): number {
  if (process.platform !== 'linux') return Number.NaN;
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return Number(user) + Number(system);
}

/** On Linux. Elsewhere it must do that the server goes on. */
function peakMemoryMb({ pid }: SmallServer): number {
  if (process.platform !== 'linux') return 0;
  const [, peak] = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(peak) / 1024;
}
