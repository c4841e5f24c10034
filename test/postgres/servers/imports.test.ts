import { expect, test } from 'vitest';
import { newDatabase } from '../support/databases.ts';
import { createLink, send, startServers } from './two-servers.ts';

test('a server says how far the import of another one is, stops it, and undoes it', async () => {
  const [one, other] = await startServers(2, await newDatabase());
  if (!one || !other) throw new Error('both servers must start');
  const { authToken: token } = await createLink(one);
  const links = Array.from({ length: 5000 }, (_, index) => ({
    originalUrl: `https://example.com/${index}`,
  }));
  const imported = send(one, 'POST /api/links/import', { token, body: links });
  const ask = async (request: string) => (await send(other, request, { token })).json();
  const status = async () => (await ask('GET /api/links/import')).data;
  await expect.poll(status, { interval: 20 }).toMatchObject({ rows: 5000, isRunning: true });
  await ask('DELETE /api/links/import');
  const { data: report } = await (await imported).json();
  expect(report.failed).toBeGreaterThan(0);
  expect(report.imported + report.failed).toBe(5000);

  const { importId, imported: count } = report;
  const undo = { links: count, edited: 0 };
  await expect.poll(status).toMatchObject({ importId, done: 5000, isRunning: false, undo });
  const path = `/api/links?importId=${importId}`;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const part = await ask(`DELETE ${path}&limit=100${cursor && `&cursor=${cursor}`}`);
    cursor = part.nextCursor;
  }
  expect(await status()).toMatchObject({ undo: { links: 0 } });
  expect((await ask('GET /api/links')).total.count).toBe(1);
});
