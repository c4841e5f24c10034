import { describe, expect, test } from 'vitest';
import { bulkResponseSchema } from '../../../shared/links/bulk.ts';
import { call, makeLink, startService, type TestService } from '../support.ts';
import { leadsTo } from './with-link.ts';

/** An account with the links `a1` to `a5`, a millisecond apart, of which the odd ones have a tag. */
async function startWithLinks() {
  const service = await startService();
  const { authToken: token } = await makeLink(service, { customAlias: 'a1', tags: ['Odd'] });
  for (const number of [2, 3, 4, 5]) {
    service.clock.advance(1);
    const tags = number % 2 === 1 ? ['Odd'] : [];
    await makeLink(service, { customAlias: `a${number}`, tags }, { token });
  }
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
    const { service, token, send } = await startWithLinks();
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
    const { service, token, send } = await startWithLinks();
    const { data } = await send('PATCH /api/links?tag=odd&dryRun=true&limit=1', {
      isActive: false,
    });
    expect(data).toEqual({ matched: 3, changed: [], failed: [] });
    expect(await aliases(service, token, '?status=inactive')).toEqual([]);
  });

  test('changes no link for a search whose word encodes a mark alone', async () => {
    const { service, token, send } = await startWithLinks();
    const { data } = await send('PATCH /api/links?q=%25CC%2581', { isActive: false });
    expect(data).toEqual({ matched: 0, changed: [], failed: [] });
    expect(await aliases(service, token, '?q=%25CC%2581')).toEqual([]);
  });

  test('goes on page by page, although links stop matching, and leaves new links as they are', async () => {
    const { service, token, send } = await startWithLinks();
    const changed: string[] = [];
    let query = '?status=active&limit=2';
    for (let page = 0; ; page++) {
      const { data, nextCursor } = await send(`PATCH /api/links${query}`, { isActive: false });
      changed.push(...data.changed);
      service.clock.advance(1);
      await makeLink(service, { customAlias: `new-${page}` }, { token });
      if (nextCursor === null) break;
      query = `?status=active&limit=2&cursor=${nextCursor}`;
    }
    expect(changed.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
    expect(await aliases(service, token, '?status=active')).toEqual(['new-2', 'new-1', 'new-0']);
  });

  test('adds and removes tags in any letter case', async () => {
    const { service, token, send } = await startWithLinks();
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
    const { service, token, send } = await startWithLinks();
    await call(service, 'DELETE /api/links/a3', { token });
    const { data } = await send('DELETE /api/links?tag=odd');
    expect(data.changed.toSorted()).toEqual(['a1', 'a5']);
    expect(await aliases(service, token)).toEqual(['a4', 'a2']);
    await send('PATCH /api/links', { aliases: data.changed, isDeleted: false });
    expect(await aliases(service, token)).toEqual(['a5', 'a4', 'a2', 'a1']);
  });

  test('reports each link that cannot be changed, and changes the others', async () => {
    const { service, token, send } = await startWithLinks();
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

  test('never changes links of another account', async () => {
    const { service, send } = await startWithLinks();
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
    const { service, token } = await startWithLinks();
    const response = await call(service, `PATCH /api/links${query}`, { token, body });
    expect(response.statusCode).toBe(400);
    const { code, issues } = response.json();
    expect(code).toBe('invalid_request');
    if (path) expect(issues.map((issue: { path: string }) => issue.path)).toContain(path);
    expect(await aliases(service, token, '?status=active')).toHaveLength(5);
  });

  test('without any change is a 400', async () => {
    const { service, token } = await startWithLinks();
    const response = await call(service, 'PATCH /api/links', { token, body: { aliases: ['a1'] } });
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toContain('Changes nothing.');
  });

  test('needs a token that may do everything', async () => {
    const { service, token } = await startWithLinks();
    const body = { name: 'reader', scope: 'read' };
    const { data } = (await call(service, 'POST /api/account/tokens', { token, body })).json();
    const response = await call(service, 'DELETE /api/links?all=true', { token: data.token });
    expect([response.statusCode, response.json().code]).toEqual([403, 'insufficient_scope']);
    expect(await aliases(service, token)).toHaveLength(5);
  });
});

describe('DELETE /api/links', () => {
  test('without a filter needs all=true', async () => {
    const { service, token, send } = await startWithLinks();
    const response = await call(service, 'DELETE /api/links', { token });
    expect([response.statusCode, response.json().issues[0].path]).toEqual([400, 'all']);
    expect((await send('DELETE /api/links?all=true&dryRun=true')).data.matched).toBe(5);
    expect(await aliases(service, token)).toHaveLength(5);
    expect((await send('DELETE /api/links?all=true')).data.changed).toHaveLength(5);
    expect(await aliases(service, token)).toEqual([]);
  });
});
