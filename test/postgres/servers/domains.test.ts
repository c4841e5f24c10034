import { expect, test } from 'vitest';
import { newDatabase } from '../support/databases.ts';
import { createLink, send, startServers } from './two-servers.ts';

const ADMIN_TOKEN = 'an-admin-token-of-32-characters!';

test('one alias on three domains is three links, on both servers, also of a domain that is new', async () => {
  const settings = { ADMIN_TOKEN, BASE_URL: 'http://s.example' };
  const [one, other] = await startServers(2, await newDatabase(), settings);
  if (!one || !other) throw new Error('both servers must start');
  for (const [server, host] of [
    [one, 'a.example'],
    [other, 'b.example'],
  ] as const) {
    const added = await send(server, 'POST /api/admin/domains', {
      token: ADMIN_TOKEN,
      body: { host },
    });
    expect(added.status).toBe(200);
  }
  const asks = async (host: string) =>
    Promise.all(
      [one, other].map(async (server) => {
        return (await send(server, `GET /api/domains/ask?domain=${host}`)).status;
      }),
    );
  for (const host of ['a.example', 'b.example']) {
    await expect.poll(() => asks(host)).toEqual([200, 200]);
  }

  const hosts = ['s.example', 'a.example', 'b.example'];
  for (const [index, domain] of hosts.entries()) {
    const originalUrl = `https://example.com/${domain}`;
    await createLink(index % 2 ? one : other, { originalUrl, customAlias: 'Sale', domain });
  }
  const targetOf = async (server: typeof one, host: string) => {
    const response = await send(server, 'GET /sale', { host });
    return [response.status, response.headers.get('location')];
  };
  for (const server of [one, other]) {
    for (const host of hosts) {
      expect(await targetOf(server, host)).toEqual([302, `https://example.com/${host}`]);
    }
  }

  const removed = await send(one, 'DELETE /api/admin/domains/a.example?links=keep', {
    token: ADMIN_TOKEN,
  });
  expect(removed.status).toBe(200);
  const statusesOf = async (host: string) =>
    Promise.all(
      [one, other].map(async (server) => (await send(server, 'GET /sale', { host })).status),
    );
  await expect.poll(() => statusesOf('a.example')).toEqual([410, 410]);
  await send(other, 'POST /api/admin/domains', { token: ADMIN_TOKEN, body: { host: 'a.example' } });
  await expect.poll(() => statusesOf('a.example')).toEqual([302, 302]);
  expect(await statusesOf('s.example')).toEqual([302, 302]);
});
