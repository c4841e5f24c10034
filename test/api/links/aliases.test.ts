import { describe, expect, test } from 'vitest';
import { call } from '../support.ts';
import { leadsTo, startWithLink } from './with-link.ts';

const TARGET = 'https://example.com/page';

describe('after a rename', () => {
  test('the previous alias still leads to the link, and means it in the API', async () => {
    const { service, token, record, edit } = await startWithLink();
    const renamed = await edit({ customAlias: 'start' });
    expect(renamed.json().data).toMatchObject({
      id: record.id,
      alias: 'start',
      shortUrl: 'https://s.example/start',
      previousAliases: ['launch'],
    });
    expect(await leadsTo(service, 'start')).toBe(TARGET);
    expect(await leadsTo(service, 'LAUNCH')).toBe(TARGET);
    const read = await call(service, 'GET /api/links/Launch', { token });
    expect(read.json().data).toMatchObject({ alias: 'start', previousAliases: ['launch'] });
    expect((await edit({ title: 'x' })).json().data).toMatchObject({ alias: 'start', title: 'x' });
  });

  test('the 21st previous alias is a 409 until one is removed', async () => {
    const { service, token, edit } = await startWithLink();
    for (let number = 1; number <= 20; number++) {
      expect((await edit({ customAlias: `a${number}` })).statusCode).toBe(200);
    }
    const response = await edit({ customAlias: 'one-more' });
    expect(response.statusCode).toBe(409);
    expect(response.json().code).toBe('too_many_aliases');
    await call(service, 'DELETE /api/links/a20/aliases/a3', { token });
    expect((await edit({ customAlias: 'one-more' })).statusCode).toBe(200);
  });
});

test('a rename is refused beyond the monthly quota, before the alias is looked at', async () => {
  const { edit } = await startWithLink({}, { MONTHLY_QUOTA: '1' });
  for (const customAlias of ['four', 'api']) {
    const response = await edit({ customAlias });
    expect([response.statusCode, response.json().code]).toEqual([429, 'quota_exceeded']);
    expect(response.headers['retry-after']).toBe(String(10.5 * 86_400));
  }
});

describe('DELETE /api/links/:alias/aliases/:old', () => {
  test('removes a previous alias in any case, at the very next visit', async () => {
    const { service, token, edit } = await startWithLink();
    await edit({ customAlias: 'start' });
    expect(await leadsTo(service)).toBe(TARGET);
    const response = await call(service, 'DELETE /api/links/start/aliases/LAUNCH', { token });
    expect(response.statusCode).toBe(200);
    expect(response.json().data).toMatchObject({ alias: 'start', previousAliases: [] });
    expect(await leadsTo(service)).toBe(404);
    expect(await leadsTo(service, 'start')).toBe(TARGET);
  });

  test.each(['launch', 'unknown', 'start'])('of %s, which is none, is a 404', async (old) => {
    const { service, token } = await startWithLink();
    const response = await call(service, `DELETE /api/links/launch/aliases/${old}`, { token });
    expect(response.statusCode).toBe(404);
    expect(response.json().code).toBe('not_found');
  });
});
