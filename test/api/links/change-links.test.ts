import { describe, expect, test } from 'vitest';
import { bulkResponseSchema } from '../../../shared/links/bulk.ts';
import { domainOf } from '../../store/contract/domains.ts';
import { call, makeLink, startService, type TestService } from '../support.ts';
import { leadsTo, startWithLinks } from './with-link.ts';

async function startToChange() {
  const { service, token } = await startWithLinks();
  const send = async (request: string, body?: unknown) => {
    const response = await call(service, request, { token, body });
    expect(response.statusCode, response.body).toBe(200);
    return bulkResponseSchema.parse(response.json());
  };
  return { service, token, send };
}

async function aliases(service: TestService, token: string, query = '') {
  const { data } = (await call(service, `GET /api/links${query}`, { token })).json();
  return data.map(({ alias }: { alias: string }) => alias);
}

describe('PATCH /api/links', () => {
  test('changes the links of a filter, and names those that it changed', async () => {
    const { service, token, send } = await startToChange();
    await call(service, 'PATCH /api/links/a3', { token, body: { isActive: false } });
    const { data, nextCursor } = await send('PATCH /api/links?tag=odd', { isActive: false });
    expect({ ...data, changed: data.changed.toSorted() }).toEqual({
      matched: 3,
      changed: ['a1', 'a5'],
      failed: [],
    });
    expect(nextCursor).toBeNull();
    expect(await aliases(service, token, '?status=inactive')).toEqual(['a5', 'a3', 'a1']);
    expect([await leadsTo(service, 'a1'), await leadsTo(service, 'a2')]).toEqual([
      410,
      'https://example.com/page',
    ]);
  });

  test('counts the links of a filter without changing them', async () => {
    const { service, token, send } = await startToChange();
    const { data } = await send('PATCH /api/links?tag=odd&dryRun=true&limit=1', {
      isActive: false,
    });
    expect(data).toEqual({ matched: 3, changed: [], failed: [] });
    expect(await aliases(service, token, '?status=inactive')).toEqual([]);
  });

  test('changes no link for a search whose word encodes a mark alone', async () => {
    const { service, token, send } = await startToChange();
    const { data } = await send('PATCH /api/links?q=%25CC%2581', { isActive: false });
    expect(data).toEqual({ matched: 0, changed: [], failed: [] });
    expect(await aliases(service, token, '?q=%25CC%2581')).toEqual([]);
  });

  test('goes on page by page, although links stop matching, and leaves new links as they are', async () => {
    const { service, token, send } = await startToChange();
    const changed: string[] = [];
    let query = '?status=active&limit=2';
    for (let page = 0; ; page++) {
      const { data, nextCursor } = await send(`PATCH /api/links${query}`, { isActive: false });
      changed.push(...data.changed);
      await service.clock.advance(1);
      await makeLink(service, { customAlias: `new-${page}` }, { token });
      if (nextCursor === null) break;
      query = `?status=active&limit=2&cursor=${nextCursor}`;
    }
    expect(changed.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
    expect(await aliases(service, token, '?status=active')).toEqual(['new-2', 'new-1', 'new-0']);
  });

  test('adds and removes tags in any letter case', async () => {
    const { service, token, send } = await startToChange();
    const change = { aliases: ['A1', 'a2'], addTags: ['odd', 'New'], removeTags: [] };
    expect((await send('PATCH /api/links', change)).data.changed.toSorted()).toEqual(['A1', 'a2']);
    const tagsOf = async (alias: string) =>
      (await call(service, `GET /api/links/${alias}`, { token })).json().data.tags;
    expect([await tagsOf('a1'), await tagsOf('a2')]).toEqual([
      ['Odd', 'New'],
      ['odd', 'New'],
    ]);
    await send('PATCH /api/links?all=true', { removeTags: ['ODD'] });
    expect([await tagsOf('a1'), await tagsOf('a3')]).toEqual([['New'], []]);
  });

  test('restores what was deleted, and nothing else', async () => {
    const { service, token, send } = await startToChange();
    await call(service, 'DELETE /api/links/a3', { token });
    const { data } = await send('DELETE /api/links?tag=odd');
    expect(data.changed.toSorted()).toEqual(['a1', 'a5']);
    expect(await aliases(service, token)).toEqual(['a4', 'a2']);
    await send('PATCH /api/links', { aliases: data.changed, isDeleted: false });
    expect(await aliases(service, token)).toEqual(['a5', 'a4', 'a2', 'a1']);
  });

  test('reports each link that cannot be changed, and changes the others', async () => {
    const { service, token, send } = await startToChange();
    const tags = Array.from({ length: 10 }, (_, index) => `tag-${index}`);
    await call(service, 'PATCH /api/links/a1', { token, body: { tags } });
    await call(service, 'DELETE /api/links/a2', { token });
    const named = ['a1', 'a2', 'a3', 'unknown'];
    const { data } = await send('PATCH /api/links', { aliases: named, addTags: ['x'] });
    expect(data).toMatchObject({ matched: 4, changed: ['a3'] });
    expect(data.failed.map(({ alias, code }) => [alias, code]).toSorted()).toEqual([
      ['a1', 'invalid_request'],
      ['a2', 'link_gone'],
      ['unknown', 'not_found'],
    ]);
  });

  test('gives the links of a filter the same expiry, and says what they had', async () => {
    const { service, token, send } = await startToChange();
    const [before, after] = ['2050-01-01T00:00:00.000Z', '2060-01-01T00:00:00.000Z'];
    await call(service, 'PATCH /api/links/a1', { token, body: { expiresAt: before } });
    await call(service, 'PATCH /api/links/a5', { token, body: { expiresAt: after } });
    const { data } = await send('PATCH /api/links?tag=odd', { expiresAt: after });
    expect(data).toMatchObject({ matched: 3, failed: [] });
    expect(data.changed).toHaveLength(2);
    expect(data.replaced?.map(({ alias }) => alias)).toEqual(data.changed);
    expect(data.replaced?.toSorted((one, other) => one.alias.localeCompare(other.alias))).toEqual([
      { alias: 'a1', expiresAt: before, domain: 's.example' },
      { alias: 'a3', expiresAt: null, domain: 's.example' },
    ]);
    const expiryOf = async (alias: string) =>
      (await call(service, `GET /api/links/${alias}`, { token })).json().data.expiresAt;
    expect([await expiryOf('a3'), await expiryOf('a4')]).toEqual([after, null]);
    await send('PATCH /api/links', { aliases: ['a3', 'a5'], expiresAt: null });
    expect([await expiryOf('a3'), await expiryOf('a5')]).toEqual([null, null]);
  });

  test('refuses an expiry in the past, and one before the start of a link for that link', async () => {
    const { service, token, send } = await startToChange();
    const past = await call(service, 'PATCH /api/links?tag=odd', {
      token,
      body: { expiresAt: '2020-01-01T00:00:00Z' },
    });
    expect([past.statusCode, past.json().code]).toEqual([400, 'expires_in_past']);
    const startsAt = '2070-01-01T00:00:00.000Z';
    await call(service, 'PATCH /api/links/a3', { token, body: { startsAt } });
    const { data } = await send('PATCH /api/links?tag=odd', { expiresAt: '2060-01-01T00:00:00Z' });
    expect(data.changed.toSorted()).toEqual(['a1', 'a5']);
    expect(data.failed).toMatchObject([{ alias: 'a3', code: 'invalid_request' }]);
  });

  test('moves the links of a filter to another domain, and back', async () => {
    const { service, token, send } = await startToChange();
    await service.store.administration.addDomain(domainOf('go.example'));
    await makeLink(service, { customAlias: 'a3', domain: 'go.example' });
    await makeLink(
      service,
      { customAlias: 'there', domain: 'go.example', tags: ['Odd'] },
      { token },
    );
    const { data } = await send('PATCH /api/links?tag=odd', { domain: 'go.example' });
    expect(data).toMatchObject({ matched: 4, failed: [{ alias: 'a3', code: 'alias_taken' }] });
    expect(data.changed.toSorted()).toEqual(['a1', 'a5']);
    const domainsOf = async () =>
      (await call(service, 'GET /api/links?sort=alias&tag=odd', { token }))
        .json()
        .data.map(({ alias, domain }: Record<string, string>) => `${domain}/${alias}`);
    expect((await domainsOf()).toSorted()).toEqual([
      'go.example/a1',
      'go.example/a5',
      'go.example/there',
      's.example/a3',
    ]);
    // The old short URLs still lead to the links.
    expect(await leadsTo(service, 'a1')).toBe('https://example.com/page');
    const back = data.replaced?.map(({ alias }) => alias) ?? [];
    await send('PATCH /api/links', { aliases: back, domain: 's.example' });
    expect(await domainsOf()).toContain('s.example/a1');
  });

  test('tells only so often that somebody else has an alias on another domain', async () => {
    const service = await startService({ env: { UNKNOWN_PER_MINUTE: '2' } });
    await service.store.administration.addDomain(domainOf('go.example'));
    const { authToken: token } = await makeLink(service, { customAlias: 'b1' });
    const names = ['b1', 'b2', 'b3', 'b4'];
    for (const customAlias of names.slice(1)) await makeLink(service, { customAlias }, { token });
    for (const customAlias of names) await makeLink(service, { customAlias, domain: 'go.example' });
    const move = { token, body: { domain: 'go.example' } };
    const response = await call(service, 'PATCH /api/links?all=true', move);
    expect([response.statusCode, response.json().code]).toEqual([429, 'rate_limited']);
  });

  test('never changes links of another account', async () => {
    const { service, send } = await startToChange();
    const { authToken: other } = await makeLink(service, { customAlias: 'foreign' });
    const { data } = await send('PATCH /api/links', { aliases: ['foreign'], isActive: false });
    expect(data).toMatchObject({ changed: [], failed: [{ alias: 'foreign', code: 'not_found' }] });
    await send('DELETE /api/links?all=true');
    expect(await aliases(service, other)).toEqual(['foreign']);
  });

  test.each([
    ['', { isActive: false }, 'all'],
    ['?all=false', { isActive: false }, 'all'],
    ['?q=+', { isActive: false }, 'all'],
    // A mark without a letter: no search looks for it.
    ['?q=%CC%81', { isActive: false }, 'all'],
    ['?q=+%CC%81+%E2%80%8B', { isActive: false }, 'all'],
    ['?originalUrl=+', { isActive: false }, 'all'],
    ['?all=true&tag=x', { isActive: false }, 'all'],
    ['?tag=x', { isActive: false, aliases: ['a1'] }, 'all'],
    ['?all=true', { isActive: false, aliases: ['a1'] }, 'all'],
    ['', { aliases: ['a b'], isActive: true }, 'aliases.0'],
    ['', { aliases: [], isActive: true }, 'aliases'],
    ['?tag=x', { title: 'x' }, ''],
    ['?tag=x', { addTags: Array.from({ length: 11 }, String) }, 'addTags'],
    ['?tag=x&sort=alias', { isActive: true }, 'sort'],
    ['?tag=x&cursor=x', { isActive: true }, 'cursor'],
  ])('%s with %o is a 400 and changes nothing', async (query, body, path) => {
    const { service, token } = await startToChange();
    const response = await call(service, `PATCH /api/links${query}`, { token, body });
    expect(response.statusCode).toBe(400);
    const { code, issues } = response.json();
    expect(code).toBe('invalid_request');
    if (path) expect(issues.map((issue: { path: string }) => issue.path)).toContain(path);
    expect(await aliases(service, token, '?status=active')).toHaveLength(5);
  });

  test('without any change is a 400', async () => {
    const { service, token } = await startToChange();
    const response = await call(service, 'PATCH /api/links', { token, body: { aliases: ['a1'] } });
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toContain('Changes nothing.');
  });

  test('needs a token that may do everything', async () => {
    const { service, token } = await startToChange();
    const body = { name: 'reader', scope: 'read' };
    const { data } = (await call(service, 'POST /api/account/tokens', { token, body })).json();
    const response = await call(service, 'DELETE /api/links?all=true', { token: data.token });
    expect([response.statusCode, response.json().code]).toEqual([403, 'insufficient_scope']);
    expect(await aliases(service, token)).toHaveLength(5);
  });
});

describe('DELETE /api/links', () => {
  test('without a filter needs all=true', async () => {
    const { service, token, send } = await startToChange();
    const response = await call(service, 'DELETE /api/links', { token });
    expect([response.statusCode, response.json().issues[0].path]).toEqual([400, 'all']);
    expect((await send('DELETE /api/links?all=true&dryRun=true')).data.matched).toBe(5);
    expect(await aliases(service, token)).toHaveLength(5);
    expect((await send('DELETE /api/links?all=true')).data.changed).toHaveLength(5);
    expect(await aliases(service, token)).toEqual([]);
  });
});
