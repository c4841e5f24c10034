import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../shared/client.ts';
import { freePort } from '../e2e/support/servers/free-port.ts';
import { startServer } from '../e2e/support/servers/server.ts';
import { startCluster } from '../postgres/support/cluster.ts';
import { dataOf } from '../support/data-of.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { expectLongestTargets, sendTo } from './support/longest-targets.ts';

const EXAMPLE = join(import.meta.dirname, '../../docs/examples/haproxy.cfg');
const originalUrl = 'https://example.com/target';

/** The example, apart from its certificate and addresses. @returns how many servers each backend has that are up */
async function startExample(port: number, one: string, other: string) {
  const example = await readFile(EXAMPLE, 'utf8');
  const haproxy = await startHaproxy(
    example
      .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
      .replaceAll('192.0.2.11:2878', one)
      .replaceAll('192.0.2.12:2878', other),
  );
  return async () => [await haproxy.countUp('links'), await haproxy.countUp('api')];
}

/** Two servers that share a database, behind HAProxy with the example. */
async function startBehindHaproxy() {
  const database = await startCluster();
  onTestFinished(() => database.remove());
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = { STORE_URL: database.url('postgres'), BASE_URL: origin, TRUST_PROXY: '127.0.0.1' };
  const servers = [await startServer({ env }), await startServer({ env })] as const;
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });
  const [one = '', other = ''] = servers.map(({ baseUrl }) =>
    new URL(baseUrl).host.replace('localhost', '127.0.0.1'),
  );
  const upOf = await startExample(port, one, other);
  const { createLink } = createClient({ baseUrl: origin });
  const create = async () => dataOf(await createLink({ body: { originalUrl } }));
  const visit = async (alias: string, baseUrl = origin) => {
    const { status, headers } = await fetch(`${baseUrl}/${alias}`, { redirect: 'manual' });
    return [status, headers.get('location')];
  };
  return { origin, database, servers, upOf, create, visit };
}

const REDIRECTED = [302, originalUrl];

test('behind HAProxy with the example, links are redirected while the database is away', async () => {
  const { origin, database, servers, upOf, create, visit } = await startBehindHaproxy();
  await expect.poll(upOf).toEqual([2, 2]);
  const { alias } = await create();
  for (const { baseUrl } of servers) expect(await visit(alias, baseUrl)).toEqual(REDIRECTED);

  await database.stop();
  const statuses: unknown[] = [];
  do statuses.push(await visit(alias));
  while ((await upOf())[1] !== 0);
  // Each server is asked, and more often than it takes to be left out.
  for (let times = 0; times < 4; times++) statuses.push(await visit(alias));
  expect(statuses).toEqual(statuses.map(() => REDIRECTED));
  await expect.poll(upOf).toEqual([2, 0]);
  const refused = await fetch(`${origin}/api/shorten`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ originalUrl }),
  });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await refused.json()).toMatchObject({ code: 'store_unavailable' });

  await database.start();
  await expect.poll(upOf).toEqual([2, 2]);
  expect(await visit((await create()).alias)).toEqual(REDIRECTED);
});

test('behind HAProxy with the example, the longest targets are reached, and one of two servers may stop', async () => {
  const { origin, servers, upOf, create, visit } = await startBehindHaproxy();
  await expect.poll(upOf).toEqual([2, 2]);
  await expectLongestTargets(servers[0].baseUrl, sendTo(origin));
  const aliases = [(await create()).alias, (await create()).alias];
  await servers[0].stop();
  for (let times = 0; times < 4; times++) aliases.push((await create()).alias);
  for (const alias of aliases) expect(await visit(alias)).toEqual(REDIRECTED);
  await expect.poll(upOf).toEqual([1, 1]);
  for (const { lines, stop } of servers) {
    await stop();
    expect(lines.join('\n')).not.toContain('X-Forwarded-For is ignored');
  }
});

test('HAProxy with the example sends a visit again that a stopping server drops, and no form', async () => {
  const start = async (listener: RequestListener) => {
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/api/health')) response.end();
      else listener(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const dropped: unknown[] = [];
  const one = await start(({ method, socket }) => {
    dropped.push(method);
    socket.destroy();
  });
  const other = await start((_request, response) => void response.writeHead(204).end());
  const port = await freePort();
  const upOf = await startExample(port, one, other);
  await expect.poll(upOf).toEqual([2, 2]);
  const send = async (method: string) => {
    const answers = Array.from({ length: 8 }, () =>
      fetch(`http://localhost:${port}/alias`, { method }).then(
        ({ status }) => status,
        () => 0,
      ),
    );
    return (await Promise.all(answers)).filter((status) => status === 204).length;
  };
  expect(await send('GET')).toBe(8);
  expect(dropped).toContain('GET');
  dropped.length = 0;
  expect(await send('POST')).toBe(8 - dropped.length);
  expect(dropped).toContain('POST');
});
