import { expect, test } from 'vitest';
import { databaseData } from '../../api/data/database-data.ts';
import { createLink, send, startServers } from './two-servers.ts';

test('without its database, a server redirects what it has in memory, answers 503 to the rest, and recovers', async () => {
  const data = await databaseData();
  const [server] = await startServers(1, data.url);
  if (!server) throw new Error('the server must start');
  const { alias, authToken: token } = await createLink(server);
  const visit = async (path: string) => (await send(server, `GET /${path}`)).status;
  const ready = async () => (await send(server, 'GET /api/health/ready')).status;
  expect([await visit(alias), await ready()]).toEqual([302, 200]);

  await data.takeAway();
  await expect.poll(ready).toBe(503);
  expect(await visit(alias)).toBe(302);
  expect((await send(server, 'GET /api/health')).status).toBe(200);
  const body = { originalUrl: 'https://example.com/page' };
  const refused = [
    await send(server, 'POST /api/shorten', { body }),
    await send(server, 'POST /api/shorten', { body, token }),
    await send(server, 'GET /api/links', { token }),
    await send(server, 'GET /unknown'),
  ];
  for (const { status, headers } of refused) {
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  }

  await data.bringBack();
  await expect.poll(ready).toBe(200);
  expect((await send(server, 'POST /api/shorten', { body, token })).status).toBe(200);
  expect([await visit(alias), await visit('unknown')]).toEqual([302, 404]);
});
