import { expect, test } from 'vitest';
import { dataOf } from '../support/data-of.ts';
import { startRealServer } from '../unit/support/real-server.ts';

/** A client that is connected to the real app, and the account of a first link. */
async function startClient() {
  const { client, create } = await startRealServer();
  const token = await create({ originalUrl: 'https://example.com', customAlias: 'first' });
  return { client, token };
}

test('the client exports a file and imports it', async () => {
  const { client, token } = await startClient();
  await client.editLink({ alias: 'first', token, body: { title: 'Größe' } });
  const other = await startClient();
  const csv = dataOf(await client.exportLinks({ token, format: 'csv', secrets: false }));
  await other.client.deleteLink({ alias: 'first', token: other.token, purge: true });
  const call = { file: csv };
  const dry = await other.client.importLinks({ token: other.token, ...call, dryRun: true });
  expect(dry).toMatchObject({ ok: true, data: { dryRun: true, rows: 1, imported: 1 } });
  const imported = await other.client.importLinks({ token: other.token, ...call });
  expect(imported).toMatchObject({ ok: true, data: { dryRun: false, imported: 1 } });
  const read = await other.client.getLink({ alias: 'first', token: other.token });
  expect(read).toMatchObject({ ok: true, data: { title: 'Größe' } });

  const file = await dataOf(await client.exportLinks({ token })).text();
  const again = await client.importLinks({ token, from: 'curt', file });
  expect(again).toMatchObject({ ok: true, data: { rows: 1, duplicates: 1 } });

  const refused = await client.exportLinks({ token: 'curt_unknown' });
  expect(refused).toMatchObject({ ok: false, code: 'invalid_token', status: 401 });
  const damaged = await client.importLinks({ token, from: 'kutt', file: '{' });
  expect(damaged).toMatchObject({ ok: false, code: 'invalid_json', status: 400 });
});
