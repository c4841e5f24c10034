import { describe, expect, test } from 'vitest';
import { type LinkListResponse, linkListResponseSchema } from '../../../shared/links/link-list.ts';
import { call, makeLink, startService, type TestService } from '../support.ts';
import { storeVisits, visit } from '../visits/visiting.ts';
import { startWithLinks } from './with-link.ts';

const DAY_MS = 86_400_000;

type Page = LinkListResponse;

async function list(service: TestService, token: string, query = ''): Promise<Page> {
  const response = await call(service, `GET /api/links${query}`, { token });
  expect(response.statusCode).toBe(200);
  return linkListResponseSchema.parse(response.json());
}

const aliases = ({ data }: Page) => data.map(({ alias }) => alias);

describe('GET /api/links', () => {
  test('lists the records of the account, newest first', async () => {
    const { service, token } = await startWithLinks();
    await makeLink(service, { customAlias: 'foreign' });
    const page = await list(service, token);
    expect(aliases(page)).toEqual(['a5', 'a4', 'a3', 'a2', 'a1']);
    expect(page.nextCursor).toBeNull();
    const single = await call(service, 'GET /api/links/a5', { token });
    expect(page.data[0]).toEqual(single.json().data);
  });

  test('with originalUrl lists the links with exactly this URL, newest first', async () => {
    const { service, token } = await startWithLinks();
    const originalUrl = 'https://example.com/Page?q=100%25#A b';
    await makeLink(service, { customAlias: 'one', originalUrl, title: 'Sale' }, { token });
    await service.clock.advance(1);
    await makeLink(service, { customAlias: 'two', originalUrl }, { token });
    await makeLink(service, { customAlias: 'foreign', originalUrl });
    const title = `See ${originalUrl}`;
    for (const other of [`${originalUrl}b`, originalUrl.toLowerCase(), 'https://other.example']) {
      await makeLink(service, { originalUrl: other, title }, { token });
    }
    const query = (more = {}) => `?${new URLSearchParams({ originalUrl, ...more })}`;
    const page = await list(service, token, query({ limit: '1' }));
    expect([aliases(page), page.total]).toEqual([['two'], { count: 2, isExact: true }]);
    const cursor = page.nextCursor ?? '';
    expect(aliases(await list(service, token, query({ cursor })))).toEqual(['one']);
    expect(aliases(await list(service, token, query({ q: 'sale' })))).toEqual(['one']);
    await call(service, 'PATCH /api/links/two', { token, body: { isActive: false } });
    expect(aliases(await list(service, token, query({ status: 'active' })))).toEqual(['one']);
    await call(service, 'DELETE /api/links/one', { token });
    expect(aliases(await list(service, token, query()))).toEqual(['two']);
  });

  test('has 50 links per page, and at most 100', async () => {
    const { service, token } = await startWithLinks();
    const bodies = Array.from({ length: 100 }, () => ({ originalUrl: 'https://example.com' }));
    await call(service, 'POST /api/links/batch', { token, body: bodies });
    expect((await list(service, token)).data).toHaveLength(50);
    expect((await list(service, token, '?limit=100')).data).toHaveLength(100);
  });

  test('finds exactly the link of a short URL, however it is written', async () => {
    const { service, token } = await startWithLinks();
    await makeLink(service, { customAlias: 'Cafe' }, { token });
    await makeLink(service, { customAlias: 'cafe-2', title: 's.example/cafe' }, { token });
    const find = async (q: string) => {
      const page = await list(service, token, `?q=${encodeURIComponent(q)}`);
      expect(page.total?.count).toBe(page.data.length);
      return aliases(page);
    };
    for (const q of [
      ...['https://s.example/cafe', 'http://s.example/cafe', 's.example/cafe', 'S.EXAMPLE/CAFE'],
      ...['s.example/cafe/', 's.example/cafe+', 's.example/cafe?utm=x', 's.example/cafe#a'],
      ...['https://s.example/cafe.', '(https://s.example/cafe)', '\u200bs.example/cafe\u200b'],
      ...['https://s.example//cafe', '<https://s.example/cafe%E2%80%8B>', 's.example./cafe'],
    ]) {
      expect(await find(q), q).toEqual(['Cafe']);
    }
    expect(await find('https://s.example/caf')).toEqual([]);
    expect(await find('https://else.example/cafe')).toEqual([]);
    await call(service, 'PATCH /api/links/cafe', { token, body: { customAlias: 'bar' } });
    expect(await find('s.example/cafe')).toEqual(['bar']);
    const { matched } = (
      await call(service, 'DELETE /api/links?q=https%3A%2F%2Fs.example%2Fcafe', { token })
    ).json().data;
    expect(matched).toBe(1);
  });

  test('finds the link of a short URL with a host in Unicode', async () => {
    const service = await startService({ env: { BASE_URL: 'https://xn--bcher-kva.example' } });
    const { authToken: token } = await makeLink(service, { customAlias: 'sale' });
    for (const q of [
      'bücher.example/sale',
      'https://BU\u0308CHER.example/sale+',
      'xn--bcher-kva.example/sale',
    ]) {
      expect(aliases(await list(service, token, `?q=${encodeURIComponent(q)}`)), q).toEqual([
        'sale',
      ]);
    }
  });

  test('filters by status, and lists deleted links only then', async () => {
    const { service, token } = await startWithLinks();
    const edit = (alias: string, body: object) =>
      call(service, `PATCH /api/links/${alias}`, { token, body });
    await edit('a1', { isActive: false });
    await edit('a2', { expiresInMinutes: 1 });
    await call(service, 'DELETE /api/links/a3', { token });
    await service.clock.advance(60_000);
    const having = async (status: string) =>
      aliases(await list(service, token, `?status=${status}`));
    expect(aliases(await list(service, token))).toEqual(['a5', 'a4', 'a2', 'a1']);
    expect(await having('active')).toEqual(['a5', 'a4']);
    expect(await having('inactive')).toEqual(['a1']);
    expect(await having('expired')).toEqual(['a2']);
    expect(await having('deleted')).toEqual(['a3']);
    expect(await having('used_up')).toEqual([]);
  });

  test('has the number of links that match on its first page', async () => {
    const { service, token } = await startWithLinks();
    await call(service, 'DELETE /api/links/a1', { token });
    const first = await list(service, token, '?limit=2');
    expect(first.total).toEqual({ count: 4, isExact: true });
    expect(await list(service, token, `?cursor=${first.nextCursor}`)).not.toHaveProperty('total');
    const totalOf = async (query: string) => (await list(service, token, query)).total?.count;
    expect(await totalOf('?status=deleted')).toBe(1);
    expect(await totalOf('?status=active')).toBe(4);
    expect(await totalOf('?q=a&limit=1')).toBe(4);
    expect(await totalOf('?q=nothing')).toBe(0);
  });

  test('is sorted by visits, last visit or alias, page by page', async () => {
    const { service, token } = await startWithLinks();
    for (const [alias, visits] of Object.entries({ a2: 2, a4: 1 })) {
      for (let count = 0; count < visits; count++) await visit(service, `/${alias}`);
      await service.clock.advance(3_600_000);
    }
    const read = async (sort: string) => {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query: string = `?sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`;
        const page: Page = await list(service, token, query);
        found.push(...aliases(page));
        cursor = page.nextCursor;
      }
      return found;
    };
    expect(await read('alias')).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
    await storeVisits(service);
    expect(await read('visits')).toEqual(['a2', 'a4', 'a5', 'a3', 'a1']);
    expect(await read('lastVisit')).toEqual(['a4', 'a2', 'a5', 'a3', 'a1']);
  });

  test('refuses the cursor of a list in another order', async () => {
    const { service, token } = await startWithLinks();
    for (const [sort, other] of [
      ['alias', 'visits'],
      ['visits', 'created'],
      ['created', 'alias'],
    ]) {
      const { nextCursor } = await list(service, token, `?sort=${sort}&limit=1`);
      const query = `?sort=${other}&cursor=${nextCursor}`;
      const response = await call(service, `GET /api/links${query}`, { token });
      expect(response.json()).toMatchObject({
        code: 'invalid_request',
        issues: [{ path: 'cursor' }],
      });
    }
  });

  test('has the link whose alias is searched before all others, on the first page only', async () => {
    const { service, token } = await startWithLinks();
    await makeLink(service, { customAlias: 'a' }, { token });
    for (const title of ['a', 'b']) {
      await service.clock.advance(1);
      await makeLink(service, { title: `a ${title}` }, { token });
    }
    await makeLink(service, { customAlias: 'foreign' });
    for (const limit of [1, 2, 3, 50]) {
      const first = await list(service, token, `?q=A&limit=${limit}`);
      expect(aliases(first)[0]).toBe('a');
      expect(first.data).toHaveLength(Math.min(limit, 8));
      expect(first.total).toEqual({ count: 8, isExact: true });
      const found = aliases(first);
      for (let cursor = first.nextCursor; cursor !== null; ) {
        const page = await list(service, token, `?q=A&limit=${limit}&cursor=${cursor}`);
        found.push(...aliases(page));
        cursor = page.nextCursor;
      }
      expect(new Set(found).size).toBe(8);
      expect(found).toHaveLength(8);
    }
    expect(aliases(await list(service, token, '?q=foreign'))).toEqual([]);
    expect(aliases(await list(service, token, '?q=a&status=inactive'))).toEqual([]);
    expect(aliases(await list(service, token, '?q=a&tag=x'))).toEqual([]);
  });

  test('has the visitors of the last 30 days if they are wanted', async () => {
    const { service, token } = await startWithLinks();
    expect((await list(service, token)).data[0]).not.toHaveProperty('visits30');
    await visit(service, '/a1');
    await service.clock.advance(DAY_MS);
    await visit(service, '/a1');
    await visit(service, '/a1');
    const visits30 = async () => {
      const { data } = await list(service, token, '?include=visits30&sort=alias&limit=2');
      return data.map((link) => link.visits30);
    };
    const none = Array.from({ length: 28 }, () => 0);
    await storeVisits(service);
    expect(await visits30()).toEqual([
      [...none, 1, 2],
      [...none, 0, 0],
    ]);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['cursor=nonsense', 'cursor'],
    [`cursor=${Buffer.from('[1]').toString('base64url')}`, 'cursor'],
    ['status=gone', 'status'],
    ['sort=hits', 'sort'],
    ['include=visits', 'include'],
    [`q=${'x'.repeat(201)}`, 'q'],
    ['page=2', 'page'],
  ])('?%s is a 400 that names the parameter', async (query, path) => {
    const { service, token } = await startWithLinks();
    const response = await call(service, `GET /api/links?${query}`, { token });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'invalid_request', issues: [{ path }] });
  });
});

describe('GET /api/links/:alias', () => {
  test.each(['unknown', 'a%20b', 'x'.repeat(1000), '%00', 'ä'])('%s is a 404', async (alias) => {
    const { service, token } = await startWithLinks();
    const response = await call(service, `GET /api/links/${encodeURI(alias)}`, { token });
    expect(response.statusCode).toBe(404);
    expect(response.json().code).toBe('not_found');
  });

  test('reads links whose alias is also a path of the API', async () => {
    const { service, token } = await startWithLinks();
    for (const alias of ['batch', 'import', 'restore']) {
      await makeLink(service, { customAlias: alias }, { token });
      const path = `/api/links/${alias}`;
      expect((await call(service, `GET ${path}`, { token })).statusCode, path).toBe(200);
      const edit = await call(service, `PATCH ${path}`, { token, body: {} });
      expect(edit.statusCode, alias).toBe(200);
    }
  });

  test('answers HEAD with the same headers and no body', async () => {
    const { service, token } = await startWithLinks();
    const get = await call(service, 'GET /api/links/a1', { token });
    const head = await call(service, 'HEAD /api/links/a1', { token });
    expect(head.statusCode).toBe(200);
    expect(head.headers.etag).toBe(get.headers.etag);
    expect(head.body).toBe('');
  });
});
