import { expect, test } from 'vitest';
import { dataOf } from '../support/data-of.ts';
import { startRealServer } from '../unit/support/real-server.ts';

/** A client that is connected to the real app, and the account of a first link. */
async function startClient() {
  const { client, create } = await startRealServer();
  const token = await create({ originalUrl: 'https://example.com', customAlias: 'first' });
  return { client, token };
}

test('the client creates, lists, reads, edits, deletes and restores links', async () => {
  const { client, token } = await startClient();
  const batch = await client.createLinks(
    [{ originalUrl: 'https://example.com/2', customAlias: 'batched' }, { originalUrl: 'no' }],
    { token, idempotencyKey: 'a-key-of-16-characters' },
  );
  expect(batch).toMatchObject({ ok: true, data: [{ status: 200 }, { code: 'invalid_url' }] });

  const first = await client.listLinks(token, { limit: 1 });
  expect(first).toMatchObject({ ok: true, data: { data: [{}] } });
  const cursor = first.ok ? (first.data.nextCursor ?? undefined) : undefined;
  const second = await client.listLinks(token, {
    limit: 1,
    cursor,
    q: 'example',
    status: 'active',
  });
  expect(second).toMatchObject({ ok: true, data: { data: [{}], nextCursor: null } });

  const link = { alias: 'batched', token };
  const read = await client.getLink(link);
  expect(read).toMatchObject({ ok: true, data: { alias: 'batched' }, etag: expect.any(String) });
  const ifMatch = read.ok ? read.etag : undefined;
  const edit = await client.editLink({ ...link, ifMatch }, { customAlias: 'two', tags: ['a'] });
  expect(edit).toMatchObject({ ok: true, data: { alias: 'two', previousAliases: ['batched'] } });
  const late = await client.editLink({ ...link, ifMatch }, { title: 'x' });
  expect(late).toMatchObject({ ok: false, status: 412, code: 'version_mismatch' });
  const removed = await client.removeAlias({ alias: 'two', token }, 'batched');
  expect(removed).toMatchObject({ ok: true, data: { previousAliases: [] } });

  const two = { alias: 'two', token };
  expect(await client.deleteLink(two)).toMatchObject({ ok: true, data: { status: 'deleted' } });
  expect(await client.restoreLink(two)).toMatchObject({ ok: true, data: { status: 'active' } });
  expect(await client.deleteLink(two, { purge: true })).toMatchObject({ ok: true, data: null });
  expect(await client.getLink(two)).toMatchObject({ ok: false, code: 'not_found' });
});

test('the client creates, lists and revokes tokens, and deletes the account', async () => {
  const { client, token } = await startClient();
  const created = dataOf(await client.createToken(token, { name: 'CI', scope: 'all' }));
  const tokens = await client.listTokens(created.token);
  expect(tokens).toMatchObject({ ok: true, data: [{ isCurrent: false }, { isCurrent: true }] });
  const [old] = tokens.ok ? tokens.data : [];
  expect(await client.revokeToken(created.token, old?.id ?? '')).toMatchObject({ ok: true });
  expect(await client.getAccount(token)).toMatchObject({ ok: false, code: 'invalid_token' });

  const refused = await client.revokeToken(created.token, created.id);
  expect(refused).toMatchObject({ ok: false, code: 'last_token' });
  expect(await client.deleteAccount(created.token)).toMatchObject({ ok: true, data: null });
  expect(await client.getAccount(created.token)).toMatchObject({ code: 'invalid_token' });
});

test('the client exports a file and imports it', async () => {
  const { client, token } = await startClient();
  await client.editLink({ alias: 'first', token }, { title: 'Größe' });
  const other = await startClient();
  const csv = dataOf(await client.exportLinks(token, { format: 'csv', secrets: false }));
  await other.client.deleteLink({ alias: 'first', token: other.token }, { purge: true });
  const call = { file: csv };
  const dry = await other.client.importLinks(other.token, { ...call, dryRun: true });
  expect(dry).toMatchObject({ ok: true, data: { dryRun: true, rows: 1, imported: 1 } });
  const imported = await other.client.importLinks(other.token, call);
  expect(imported).toMatchObject({ ok: true, data: { dryRun: false, imported: 1 } });
  const read = await other.client.getLink({ alias: 'first', token: other.token });
  expect(read).toMatchObject({ ok: true, data: { title: 'Größe' } });

  const file = await dataOf(await client.exportLinks(token)).text();
  const again = await client.importLinks(token, { from: 'curt', file });
  expect(again).toMatchObject({ ok: true, data: { rows: 1, duplicates: 1 } });

  const refused = await client.exportLinks('curt_unknown');
  expect(refused).toMatchObject({ ok: false, code: 'invalid_token', status: 401 });
  const damaged = await client.importLinks(token, { from: 'kutt', file: '{' });
  expect(damaged).toMatchObject({ ok: false, code: 'invalid_json', status: 400 });
});
