import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../e2e/support/servers/server.ts';
import { startCluster } from '../postgres/support/cluster.ts';
import { prepareNginx } from '../support/nginx.ts';
import { expectLongestTargets, sendTo } from './support/longest-targets.ts';

const EXAMPLE = join(import.meta.dirname, '../../docs/examples/nginx-balancer.conf');

/** A database of its own, with the encoding that compose.postgresql.yaml sets. */
async function startDatabase(): Promise<string> {
  const cluster = await startCluster();
  onTestFinished(() => cluster.remove());
  const client = new pg.Client(cluster.url('postgres'));
  await client.connect();
  await client.query('CREATE DATABASE curt');
  await client.end();
  return cluster.url('curt');
}

test('behind nginx with the balancer of the example, two servers are one, reach the longest targets, and one may fail', async () => {
  const nginx = await prepareNginx();
  onTestFinished(() => nginx.stop());
  const env = {
    STORE_URL: await startDatabase(),
    BASE_URL: nginx.origin,
    TRUST_PROXY: '127.0.0.1',
    LOG_REQUESTS: 'all',
  };
  const servers = [await startServer({ env }), await startServer({ env })] as const;
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });
  const hosts = servers.map(({ baseUrl }) =>
    new URL(baseUrl).host.replace('localhost', '127.0.0.1'),
  );
  const example = await readFile(EXAMPLE, 'utf8');
  await nginx.start((socketPath) =>
    example
      .replace('listen 2878;', `listen unix:${socketPath};`)
      .replace('172.28.79.11:2878', hosts[0] ?? '')
      .replace('172.28.79.12:2878', hosts[1] ?? ''),
  );

  const shorten = async () => {
    const response = await fetch(`${nginx.origin}/api/shorten`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ originalUrl: 'https://example.com/target' }),
    });
    return (await response.json()).data.shortUrl as string;
  };
  const targetOf = async (shortUrl: string) => {
    const { status, headers } = await fetch(shortUrl, { redirect: 'manual' });
    return [status, headers.get('location')];
  };
  const shortUrls = [await shorten(), await shorten(), await shorten(), await shorten()];
  for (const shortUrl of shortUrls) {
    for (let visit = 0; visit < 2; visit++) {
      expect(await targetOf(shortUrl)).toEqual([302, 'https://example.com/target']);
    }
  }
  for (const { lines } of servers) {
    // Lines of the log are written a little later.
    await expect.poll(() => lines.some((line) => line.includes('"answered"'))).toBe(true);
  }

  await expectLongestTargets(servers[0].baseUrl, sendTo(nginx.origin));

  await servers[0].stop();
  for (const shortUrl of [...shortUrls, await shorten()]) {
    expect(await targetOf(shortUrl)).toEqual([302, 'https://example.com/target']);
  }
});
