import { describe, expect, test } from 'vitest';
import type { RunningServer } from '../../e2e/support/servers/server.ts';
import { newDatabase } from '../support/databases.ts';
import { createLink, send, startServers } from './two-servers.ts';

const LINK = { originalUrl: 'https://example.com/page' };

async function startTwo(settings: Record<string, string>) {
  const [one, two] = await startServers(2, await newDatabase(), settings);
  if (!one || !two) throw new Error('two servers must start');
  return { one, two };
}

/** Sends requests to both servers in turn, all at once, and counts the statuses of the answers. */
async function countStatuses(
  { one, two }: { one: RunningServer; two: RunningServer },
  requests: number,
  request: (server: RunningServer) => Promise<Response>,
): Promise<Record<number, number>> {
  const responses = await Promise.all(
    Array.from({ length: requests }, (_, index) => request(index % 2 ? two : one)),
  );
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('two servers with one database share the limit on', () => {
  test('requests that shorten, exactly: of an account and of an address', async () => {
    const servers = await startTwo({ RATE_LIMIT_PER_MINUTE: '5' });
    const { authToken: token } = await createLink(servers.one, {}, { from: '192.0.2.9' });
    const shorten = (server: RunningServer) =>
      send(server, 'POST /api/shorten', { token, body: LINK });
    expect(await countStatuses(servers, 20, shorten)).toEqual({ 200: 5, 429: 15 });
    const account = await send(servers.two, 'GET /api/account', { token });
    expect((await account.json()).data.rate).toMatchObject({ limit: 5, remaining: 0 });
    const refused = await shorten(servers.one);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    const anonymous = (server: RunningServer) =>
      send(server, 'POST /api/shorten', { from: '2001:db8::1', body: LINK });
    expect(await countStatuses(servers, 12, anonymous)).toEqual({ 200: 5, 429: 7 });
  });

  test('anonymous accounts of an address, exactly; a failed request makes none', async () => {
    const servers = await startTwo({ ANONYMOUS_PER_DAY: '3' });
    await createLink(servers.two, { customAlias: 'taken' }, { from: '192.0.2.9' });
    const taken = (server: RunningServer) =>
      send(server, 'POST /api/shorten', { body: { ...LINK, customAlias: 'taken' } });
    expect((await taken(servers.one)).status).toBe(409);
    const shorten = (server: RunningServer) => send(server, 'POST /api/shorten', { body: LINK });
    expect(await countStatuses(servers, 8, shorten)).toEqual({ 200: 3, 429: 5 });
  });

  test('wrong passwords of a link, exactly', async () => {
    const servers = await startTwo({});
    const { alias } = await createLink(servers.one, { password: 'correct horse' });
    const guess = (server: RunningServer) =>
      send(server, `POST /${alias}`, { form: { password: 'wrong' } });
    expect(await countStatuses(servers, 12, guess)).toEqual({ 401: 5, 429: 7 });
    const right = { form: { password: 'correct horse' } };
    expect((await send(servers.two, `POST /${alias}`, right)).status).toBe(429);
    const other = { ...right, from: '192.0.2.2' };
    expect((await send(servers.two, `POST /${alias}`, other)).status).toBe(303);
  });

  test('wrong passwords of a link from everywhere, and lists of both tell its owner', async () => {
    const { one, two } = await startTwo({});
    const { alias, authToken: token } = await createLink(one, { password: 'correct horse' });
    const isTold = async (server: RunningServer) => {
      const response = await send(server, `GET /api/links/${alias}`, { token });
      return (await response.json()).data.manyWrongPasswords;
    };
    const guess = (attempt: number) =>
      send(attempt % 2 ? one : two, `POST /${alias}`, {
        // No link can have it, so nothing is hashed.
        form: { password: '' },
        from: `192.0.2.${Math.floor(attempt / 4)}`,
      });
    for (let attempt = 0; attempt < 99; attempt++) expect((await guess(attempt)).status).toBe(401);
    expect([await isTold(one), await isTold(two)]).toEqual([false, false]);
    expect((await guess(100)).status).toBe(401);
    await expect.poll(() => isTold(one)).toBe(true);
    await expect.poll(() => isTold(two)).toBe(true);
  });

  test('unknown aliases: who has guessed on one is soon refused by the other', async () => {
    const { one, two } = await startTwo({ UNKNOWN_PER_MINUTE: '6' });
    const { alias } = await createLink(one);
    const visit = async (from: string) => (await send(two, `GET /${alias}`, { from })).status;
    expect(await visit('192.0.2.7')).toBe(302);
    for (let guess = 0; guess < 3; guess++) {
      expect((await send(one, `GET /unknown-${guess}`, { from: '192.0.2.7' })).status).toBe(404);
      expect((await send(two, `GET /unknown-${guess}`, { from: '192.0.2.7' })).status).toBe(404);
    }
    await expect.poll(() => visit('192.0.2.7')).toBe(429);
    const visitOne = async () => (await send(one, `GET /${alias}`, { from: '192.0.2.7' })).status;
    await expect.poll(visitOne).toBe(429);
    expect(await visit('192.0.2.8')).toBe(302);
  });

  test("wrong administrator's tokens: who has guessed on both is soon rejected by both", async () => {
    const adminToken = 'a'.repeat(32);
    const { one, two } = await startTwo({ ADMIN_TOKEN: adminToken });
    const ask = async (server: RunningServer, token: string, from = '192.0.2.7') =>
      (await send(server, 'GET /api/admin/blocks', { token, from })).status;
    for (let guess = 0; guess < 10; guess++) {
      expect(await ask(one, 'b'.repeat(32))).toBe(401);
      expect(await ask(two, 'b'.repeat(32))).toBe(401);
    }
    await expect.poll(() => ask(one, adminToken)).toBe(429);
    await expect.poll(() => ask(two, adminToken)).toBe(429);
    expect(await ask(two, adminToken, '192.0.2.8')).toBe(200);
  });
});
