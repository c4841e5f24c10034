import { describe, expect, test } from 'vitest';
import { call } from '../support.ts';
import { expectHits, visit } from '../visits/visiting.ts';
import { startWithLink } from './with-link.ts';

describe('If-Match', () => {
  test('lets an edit pass only if the link has that ETag', async () => {
    const { service, token, edit } = await startWithLink();
    const { etag } = (await call(service, 'GET /api/links/launch', { token })).headers;
    if (etag === undefined) throw new Error('the link has no ETag');
    const first = await edit({ title: 'first' }, { 'if-match': etag });
    expect(first.statusCode).toBe(200);
    expect(first.headers.etag).not.toBe(etag);
    const second = await edit({ title: 'second' }, { 'if-match': etag });
    expect(second.statusCode).toBe(412);
    const { data } = (await call(service, 'GET /api/links/launch', { token })).json();
    expect(second.json()).toMatchObject({ code: 'version_mismatch', current: data });
    expect((await service.store.findLink('launch'))?.title).toBe('first');
    const current = String(first.headers.etag);
    expect((await edit({ title: 'second' }, { 'if-match': current })).statusCode).toBe(200);
  });

  test('compares weakly, since proxies that compress make ETags weak', async () => {
    const { record, edit } = await startWithLink();
    const weak = `W/"${record.id}.${record.version}"`;
    const first = await edit({ title: 'first' }, { 'if-match': `"x", ${weak}` });
    expect(first.statusCode).toBe(200);
    const second = await edit({ title: 'second' }, { 'if-match': weak });
    expect([second.statusCode, second.json().code]).toEqual([412, 'version_mismatch']);
  });

  test('erases no link that is edited at the same time', async () => {
    const { service, token, record, edit } = await startWithLink();
    const etag = `"${record.id}.${record.version}"`;
    const [edited, erased] = await Promise.all([
      edit({ title: 'new' }),
      call(service, 'DELETE /api/links/launch?purge=true', {
        token,
        headers: { 'if-match': etag },
      }),
    ]);
    // Whichever comes first.
    expect([
      [200, 412],
      [404, 200],
    ]).toContainEqual([edited.statusCode, erased.statusCode]);
  });

  test.each<[(etag: string) => string, number]>([
    [() => '*', 200],
    [(etag) => `"other", ${etag}`, 200],
    [(etag) => `"a,b",${etag},W/"c"`, 200],
    // The weak comparison.
    [(etag) => `W/${etag}`, 200],
    [() => 'W/"other"', 412],
    [() => '"other"', 412],
    // Some clients lose the quotes.
    [(etag) => etag.replaceAll('"', ''), 200],
    [() => '', 400],
    [() => ' ', 400],
  ])('%s is %i', async (toHeader, status) => {
    const { record, edit } = await startWithLink();
    const etag = `"${record.id}.${record.version}"`;
    const headers = { 'if-match': toHeader(etag) };
    expect((await edit({ title: 'x' }, headers)).statusCode).toBe(status);
    // Also if nothing would change.
    const etagNow = `"${record.id}.${status === 200 ? 2 : 1}"`;
    const again = { 'if-match': toHeader(etagNow) };
    expect((await edit({}, again)).statusCode).toBe(status);
  });

  test('is not changed by a visit', async () => {
    const { service, token, edit } = await startWithLink();
    const { etag } = (await call(service, 'GET /api/links/launch', { token })).headers;
    await visit(service, '/launch');
    await expectHits(service, 'launch', 1);
    const response = await edit({ title: 'x' }, { 'if-match': String(etag) });
    expect(response.statusCode).toBe(200);
    expect(response.json().data.hits).toBe(1);
  });
});
