import { describe, expect, test } from 'vitest';
import { call, makeLink } from '../support.ts';
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

  test('nobody can create a link with the previous alias', async () => {
    const { service, token, edit } = await startWithLink();
    await edit({ customAlias: 'start' });
    const body = { originalUrl: 'https://example.org', customAlias: 'launch' };
    for (const options of [{ body }, { body, token }]) {
      const response = await call(service, 'POST /api/shorten', options);
      expect(response.json().code).toBe('alias_taken');
    }
  });

  test('the link can get its previous alias again', async () => {
    const { service, edit } = await startWithLink();
    await edit({ customAlias: 'start' });
    const response = await edit({ customAlias: 'launch' });
    expect(response.json().data).toMatchObject({ alias: 'launch', previousAliases: ['start'] });
    expect(await leadsTo(service)).toBe(TARGET);
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

describe('a rename to an alias that nobody has ever had', () => {
  test('counts against the monthly quota, whatever happens to the previous ones', async () => {
    const { service, token, edit } = await startWithLink({}, { MONTHLY_QUOTA: '3' });
    for (const [customAlias, previous] of [
      ['two', 'launch'],
      ['three', 'two'],
    ]) {
      expect((await edit({ customAlias }, {}, previous)).statusCode).toBe(200);
      await call(service, `DELETE /api/links/${customAlias}/aliases/${previous}`, { token });
    }
    await makeLink(service, { customAlias: 'taken' });
    // The quota is checked before the alias, also if that is reserved.
    for (const customAlias of ['four', 'taken', 'api']) {
      const response = await edit({ customAlias }, {}, 'three');
      expect([response.statusCode, response.json().code]).toEqual([429, 'quota_exceeded']);
      expect(response.headers['retry-after']).toBe(String(10.5 * 86_400));
      const body = { originalUrl: TARGET, customAlias };
      const created = await call(service, 'POST /api/shorten', { token, body });
      expect(created.headers['x-quota-remaining']).toBe('0');
      expect(created.statusCode).toBe(429);
    }
    expect((await edit({ customAlias: 'launch' }, {}, 'three')).statusCode).toBe(200);
    await service.clock.advance(10.5 * 86_400_000);
    expect((await edit({ customAlias: 'four' }, {}, 'launch')).statusCode).toBe(200);
  });
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

  test('leaves the alias to the account, and to nobody else', async () => {
    const { service, token, edit } = await startWithLink();
    await edit({ customAlias: 'start' });
    await call(service, 'DELETE /api/links/start/aliases/launch', { token });
    const body = { originalUrl: 'https://example.org/new', customAlias: 'Launch' };
    const { authToken } = await makeLink(service);
    const foreign = await call(service, 'POST /api/shorten', { body, token: authToken });
    expect(foreign.json().code).toBe('alias_taken');
    const own = await call(service, 'POST /api/shorten', { body, token });
    expect(own.statusCode).toBe(200);
    expect(await leadsTo(service)).toBe('https://example.org/new');
  });

  test.each(['launch', 'unknown', 'start'])('of %s, which is none, is a 404', async (old) => {
    const { service, token } = await startWithLink();
    const response = await call(service, `DELETE /api/links/launch/aliases/${old}`, { token });
    expect(response.statusCode).toBe(404);
    expect(response.json().code).toBe('not_found');
  });

  test('of two aliases at once removes both', async () => {
    const { service, token, edit } = await startWithLink();
    await edit({ customAlias: 'second' });
    await edit({ customAlias: 'third' });
    const responses = await Promise.all(
      ['launch', 'second'].map((old) =>
        call(service, `DELETE /api/links/third/aliases/${old}`, { token }),
      ),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await service.store.findLink('third'))?.previousAliases).toEqual([]);
  });
});

describe('an erased link', () => {
  test('is unknown, and its aliases stay with the account', async () => {
    const { service, token, edit } = await startWithLink();
    await edit({ customAlias: 'start' });
    const response = await call(service, 'DELETE /api/links/launch?purge=true', { token });
    expect(response.statusCode).toBe(200);
    expect(response.json().data).toBeNull();
    for (const alias of ['launch', 'start']) {
      expect(await leadsTo(service, alias)).not.toBe(TARGET);
      expect((await call(service, `GET /api/links/${alias}`, { token })).statusCode).toBe(404);
      const body = { originalUrl: 'https://example.org', customAlias: alias };
      expect((await call(service, 'POST /api/shorten', { body })).statusCode).toBe(409);
      expect((await call(service, 'POST /api/shorten', { body, token })).statusCode).toBe(200);
      expect(await leadsTo(service, alias)).toBe('https://example.org/');
    }
    expect((await call(service, 'GET /api/links', { token })).json().data).toHaveLength(2);
  });

  test('cannot be restored', async () => {
    const { service, token } = await startWithLink();
    await call(service, 'DELETE /api/links/launch', { token });
    await call(service, 'DELETE /api/links/launch?purge=true', { token });
    const response = await call(service, 'POST /api/links/launch/restore', { token });
    expect(response.statusCode).toBe(404);
  });

  test('that somebody else edits at once is gone afterwards', async () => {
    const { service, token, edit } = await startWithLink();
    const [purge, other] = await Promise.all([
      call(service, 'DELETE /api/links/launch?purge=true', { token }),
      edit({ title: 'x' }),
    ]);
    expect(purge.statusCode).toBe(200);
    expect([200, 404]).toContain(other.statusCode);
    expect(await service.store.findLink('launch')).toBeUndefined();
  });
});
