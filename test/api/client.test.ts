import { expect, test } from 'vitest';
import { createClient } from '../../shared/client.ts';
import { startService } from './support.ts';

/** A client that is connected to the real app. */
async function startClient() {
  const { app } = await startService();
  const client = createClient({
    baseUrl: 'https://s.example',
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input));
      const response = await app.inject({
        method: init?.method as 'GET',
        url: pathname + search,
        headers: init?.headers as Record<string, string>,
        ...(init?.body && { payload: String(init.body) }),
      });
      return new Response(response.body || null, {
        status: response.statusCode,
        headers: response.headers as Record<string, string>,
      });
    },
  });
  const created = await client.shorten({
    originalUrl: 'https://example.com',
    customAlias: 'first',
  });
  if (!created.ok) throw new Error(created.message);
  return { client, token: created.data.authToken };
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
  const created = await client.createToken(token, { name: 'CI', scope: 'all' });
  if (!created.ok) throw new Error(created.message);
  const tokens = await client.listTokens(created.data.token);
  expect(tokens).toMatchObject({ ok: true, data: [{ isCurrent: false }, { isCurrent: true }] });
  const [old] = tokens.ok ? tokens.data : [];
  expect(await client.revokeToken(created.data.token, old?.id ?? '')).toMatchObject({ ok: true });
  expect(await client.account(token)).toMatchObject({ ok: false, code: 'invalid_token' });

  const { id } = created.data;
  const refused = await client.revokeToken(created.data.token, id);
  expect(refused).toMatchObject({ ok: false, code: 'last_token' });
  expect(await client.deleteAccount(created.data.token)).toMatchObject({ ok: true, data: null });
  expect(await client.account(created.data.token)).toMatchObject({ code: 'invalid_token' });
});
