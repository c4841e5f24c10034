import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../shared/client.ts';
import { freePort } from '../e2e/support/servers/free-port.ts';
import { startServer } from '../e2e/support/servers/server.ts';
import { startCluster } from '../postgres/support/cluster.ts';
import { startHaproxy } from '../support/haproxy.ts';

const EXAMPLE = join(import.meta.dirname, '../../docs/examples/haproxy.cfg');
const originalUrl = 'https://example.com/target';

/** Two servers that share a database, behind HAProxy with the example, apart from its certificate and addresses. */
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
  const example = await readFile(EXAMPLE, 'utf8');
  const haproxy = await startHaproxy(
    example
      .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
      .replaceAll('192.0.2.11:2878', one)
      .replaceAll('192.0.2.12:2878', other),
  );
  const upOf = async () => [await haproxy.countUp('links'), await haproxy.countUp('api')];
  const { shorten } = createClient({ baseUrl: origin });
  const create = async () => {
    const answer = await shorten({ originalUrl });
    if (!answer.ok) throw new Error(answer.message);
    return answer.data;
  };
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
  expect(await upOf()).toEqual([2, 0]);
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

test('behind HAProxy with the example, one of two servers may stop', async () => {
  const { servers, upOf, create, visit } = await startBehindHaproxy();
  await expect.poll(upOf).toEqual([2, 2]);
  const aliases = [(await create()).alias, (await create()).alias];
  await servers[0].stop();
  for (let times = 0; times < 4; times++) aliases.push((await create()).alias);
  for (const alias of aliases) expect(await visit(alias)).toEqual(REDIRECTED);
  await expect.poll(upOf).toEqual([1, 1]);
  for (const { lines } of servers) {
    expect(lines.join('\n')).not.toContain('X-Forwarded-For is ignored');
  }
});
