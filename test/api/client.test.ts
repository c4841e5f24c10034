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
  const batch = await client.shortenAll(
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
  const read = await client.readLink(link);
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
  expect(await client.purgeLink(two)).toMatchObject({ ok: true, data: null });
  expect(await client.readLink(two)).toMatchObject({ ok: false, code: 'not_found' });
});

test('the client creates, lists and revokes tokens, and deletes the account', async () => {
  const { client, token } = await startClient();
  const created = dataOf(await client.createToken(token, { name: 'CI', scope: 'all' }));
  const tokens = await client.listTokens(created.token);
  expect(tokens).toMatchObject({ ok: true, data: [{ isCurrent: false }, { isCurrent: true }] });
  const [old] = tokens.ok ? tokens.data : [];
  expect(await client.revokeToken(created.token, old?.id ?? '')).toMatchObject({ ok: true });
  expect(await client.account(token)).toMatchObject({ ok: false, code: 'invalid_token' });

  const refused = await client.revokeToken(created.token, created.id);
  expect(refused).toMatchObject({ ok: false, code: 'last_token' });
  expect(await client.deleteAccount(created.token)).toMatchObject({ ok: true, data: null });
  expect(await client.account(created.token)).toMatchObject({ code: 'invalid_token' });
});
