import { describe, expect, test } from 'vitest';
import { call, makeLink } from '../support.ts';
import { leadsTo, startWithLink } from './with-link.ts';

const DAY_MS = 86_400_000;
const TARGET = 'https://example.com/page';

describe('DELETE /api/links/:alias', () => {
  test('gives visitors a 410 at once, and a restore its target again', async () => {
    const { service, token } = await startWithLink();
    expect(await leadsTo(service)).toBe(TARGET);
    const response = await call(service, 'DELETE /api/links/launch', { token });
    expect(response.statusCode).toBe(200);
    expect(response.json().data).toMatchObject({ alias: 'launch', status: 'deleted' });
    expect(response.headers.etag).toEqual(expect.any(String));
    expect(await leadsTo(service)).toBe(410);
    const restored = await call(service, 'POST /api/links/launch/restore', { token });
    expect(restored.statusCode).toBe(200);
    expect(restored.json().data).toMatchObject({ alias: 'launch', status: 'active' });
    expect(await leadsTo(service)).toBe(TARGET);
  });

  test('of a deleted link changes nothing', async () => {
    const { service, token } = await startWithLink();
    const first = await call(service, 'DELETE /api/links/launch', { token });
    await service.clock.advance(1000);
    const second = await call(service, 'DELETE /api/links/launch', { token });
    expect(second.statusCode).toBe(200);
    expect(second.json().data).toEqual(first.json().data);
  });

  test.each(['purge=yes', 'purge=2', 'confirm=true'])('?%s is a 400', async (query) => {
    const { service, token } = await startWithLink();
    const response = await call(service, `DELETE /api/links/launch?${query}`, { token });
    expect(response.statusCode).toBe(400);
    expect(await leadsTo(service)).toBe(TARGET);
  });

  test('with an ETag of an earlier version is a 412', async () => {
    const { service, token, record } = await startWithLink();
    const headers = { 'if-match': `"${record.id}.99"` };
    const response = await call(service, 'DELETE /api/links/launch', { token, headers });
    expect(response.statusCode).toBe(412);
    expect(await leadsTo(service)).toBe(TARGET);
  });

  test('can have a Content-Type without a body', async () => {
    const { service, token } = await startWithLink();
    const headers = { 'content-type': 'application/json' };
    const response = await call(service, 'DELETE /api/links/launch', { token, headers });
    expect(response.statusCode).toBe(200);
  });
});

describe('POST /api/links/:alias/restore', () => {
  test('leaves other links as they are', async () => {
    const { service, token, record } = await startWithLink();
    await service.clock.advance(1000);
    const response = await call(service, 'POST /api/links/launch/restore', { token });
    expect(response.statusCode).toBe(200);
    expect(response.json().data).toMatchObject({ version: record.version, status: 'active' });
  });

  test('restores all settings of a link for 30 days after its deletion, and then is a 404', async () => {
    const { service, token, record } = await startWithLink({ title: 'T', tags: ['a'] });
    await call(service, 'DELETE /api/links/launch', { token });
    await service.clock.passDays(29);
    await service.clock.advance(DAY_MS - 1);
    const restore = () => call(service, 'POST /api/links/launch/restore', { token });
    const response = await restore();
    const { id, title, tags, originalUrl } = record;
    expect(response.json().data).toMatchObject({ id, title, tags, originalUrl });
    expect(await leadsTo(service)).toBe(TARGET);

    await call(service, 'DELETE /api/links/launch', { token });
    await service.clock.passDays(31);
    expect((await restore()).statusCode).toBe(404);
    expect((await call(service, 'GET /api/links/launch', { token })).statusCode).toBe(404);
    const deleted = await call(service, 'GET /api/links?status=deleted', { token });
    expect(deleted.json().data).toEqual([]);
  });
});

test('the alias of a deleted link is not free, which only its account is told', async () => {
  const { service, token } = await startWithLink();
  await call(service, 'DELETE /api/links/launch', { token });
  const body = { originalUrl: 'https://example.org', customAlias: 'LAUNCH' };
  const { authToken } = await makeLink(service);
  for (const other of [{ body }, { body, token: authToken }]) {
    const response = await call(service, 'POST /api/shorten', other);
    expect(response.json()).toMatchObject({
      code: 'alias_taken',
      message: 'The alias "LAUNCH" is already taken.',
    });
  }
  const own = await call(service, 'POST /api/shorten', { body, token });
  expect(own.json()).toMatchObject({
    code: 'alias_taken',
    message: expect.stringContaining('belongs to a deleted link of this account.'),
  });
});
