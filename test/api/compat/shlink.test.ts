import { ShlinkApiClient } from '@shlinkio/shlink-js-sdk';
import { FetchHttpClient } from '@shlinkio/shlink-js-sdk/fetch';
import { describe, expect, test } from 'vitest';
import { call, makeLink, sharedService, startService, type TestService } from '../support.ts';
import { storeVisits, visit } from '../visits/visiting.ts';
import { newKey } from './new-key.ts';

const TARGET = 'https://example.com/page';

/** Shlink's own client, over the network. */
async function connect(service: TestService, apiKey: string): Promise<ShlinkApiClient> {
  const { port } = service.app.server.address() as { port: number };
  const baseUrl = `http://127.0.0.1:${port}`;
  return new ShlinkApiClient(new FetchHttpClient(), { baseUrl, apiKey });
}

async function startWithClient(env: Record<string, string> = {}) {
  const service = await startService({ env });
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  const token = await newKey(service);
  return { service, token, client: await connect(service, token) };
}

function rest(service: TestService, request: string, token?: string, options: object = {}) {
  const [method, url] = request.split(' ') as ['GET', string];
  const headers = {
    ...(token && { 'x-api-key': token }),
    ...(options as { headers?: object }).headers,
  };
  return service.app.inject({ ...options, method, url, headers });
}

const shared = sharedService();

describe("Shlink's own client", () => {
  test('creates, finds, edits and deletes a short URL', async () => {
    const { client, service } = await startWithClient();
    const data = {
      longUrl: TARGET,
      customSlug: 'sale',
      tags: ['one', 'two'],
      title: 'Sale',
      maxVisits: 3,
      validSince: '2026-11-01T00:00:00+00:00',
      validUntil: '2027-01-01T00:00:00+01:00',
    };
    const created = await client.createShortUrl(data);
    expect(created).toEqual({
      shortUrl: 'https://s.example/sale',
      shortCode: 'sale',
      longUrl: TARGET,
      dateCreated: '2026-11-20T12:00:00+00:00',
      tags: ['one', 'two'],
      meta: {
        validSince: '2026-11-01T00:00:00+00:00',
        validUntil: '2026-12-31T23:00:00+00:00',
        maxVisits: 3,
      },
      domain: null,
      title: 'Sale',
      crawlable: false,
      forwardQuery: true,
      visitsSummary: { total: 0, nonBots: 0, bots: 0 },
      hasRedirectRules: false,
    });
    expect(
      await client.createShortUrl({ longUrl: TARGET, tags: ['one', 'two'], findIfExists: true }),
    ).not.toMatchObject({ shortCode: 'sale' });
    expect(await client.getShortUrl({ shortCode: 'sale' })).toEqual(created);
    const changes = { longUrl: 'https://example.com/new', title: null, maxVisits: null, tags: [] };
    const edited = await client.updateShortUrl({ shortCode: 'sale' }, changes);
    expect(edited).toMatchObject({ longUrl: 'https://example.com/new', title: null, tags: [] });
    expect(edited.meta).toEqual({ ...created.meta, maxVisits: null });
    await visit(service, '/sale?a=1');
    await storeVisits(service);
    const read = await client.getShortUrl({ shortCode: 'SALE' });
    expect(read.visitsSummary).toEqual({ total: 1, nonBots: 1, bots: 0 });
    await client.deleteShortUrl({ shortCode: 'sale' });
    const gone = { status: 404, type: 'https://shlink.io/api/error/short-url-not-found' };
    await expect(client.getShortUrl({ shortCode: 'sale' })).rejects.toMatchObject(gone);
    await expect(client.deleteShortUrl({ shortCode: 'sale' })).rejects.toMatchObject(gone);
  });

  test('finds the same short URL again', async () => {
    const { client } = await startWithClient();
    const first = await client.createShortUrl({ longUrl: TARGET, findIfExists: true });
    const again = await client.createShortUrl({ longUrl: TARGET, findIfExists: true });
    expect(again).toEqual(first);
    const other = await client.createShortUrl({ longUrl: TARGET });
    expect(other.shortCode).not.toBe(first.shortCode);
  });

  test('lists by pages, words, tags, dates and order', async () => {
    const { client, service, token } = await startWithClient();
    await call(service, 'DELETE /api/links?all=true', { token });
    for (const [index, tags] of [['a'], ['a', 'b'], ['b'], []].entries()) {
      service.clock.advance(1000);
      const customSlug = `link-${index}`;
      await client.createShortUrl({ longUrl: `${TARGET}/${9 - index}`, customSlug, tags });
    }
    await visit(service, '/link-1');
    await storeVisits(service);
    const codes = async (params: Parameters<ShlinkApiClient['listShortUrls']>[0]) =>
      (await client.listShortUrls(params)).data.map(
        (link: { shortCode: string }) => link.shortCode,
      );
    const page = await client.listShortUrls({ page: '2', itemsPerPage: 3 });
    expect(page.data.map((link: { shortCode: string }) => link.shortCode)).toEqual(['link-0']);
    expect(page.pagination).toEqual({
      ...{ currentPage: 2, pagesCount: 2, itemsPerPage: 3, itemsInCurrentPage: 1, totalItems: 4 },
    });
    expect(await codes({})).toEqual(['link-3', 'link-2', 'link-1', 'link-0']);
    expect(await codes({ itemsPerPage: -1 })).toHaveLength(4);
    expect(await codes({ searchTerm: 'link-2' })).toEqual(['link-2']);
    expect(await codes({ tags: ['A', 'b'], tagsMode: 'any' })).toHaveLength(3);
    expect(await codes({ tags: ['a', 'b'], tagsMode: 'all' })).toEqual(['link-1']);
    expect(await codes({ excludeTags: ['a'] })).toEqual(['link-3', 'link-2']);
    expect(await codes({ startDate: '2026-11-20T12:00:03+00:00' })).toEqual(['link-3', 'link-2']);
    expect(await codes({ orderBy: { field: 'visits', dir: 'DESC' } })).toMatchObject(
      ['link-1'].concat(['link-3', 'link-2', 'link-0']),
    );
    expect(await codes({ orderBy: { field: 'longUrl', dir: 'ASC' } })).toEqual([
      ...['link-3', 'link-2', 'link-1', 'link-0'],
    ]);
    expect(await codes({ orderBy: { field: 'shortCode', dir: 'ASC' }, itemsPerPage: 2 })).toEqual([
      ...['link-0', 'link-1'],
    ]);
    await expect(
      client.listShortUrls({ orderBy: { field: 'color' as 'title', dir: 'ASC' } }),
    ).rejects.toMatchObject({ status: 400, invalidElements: ['orderBy'] });
  });

  test('reads, renames and deletes tags', async () => {
    const { client, service } = await startWithClient();
    await client.createShortUrl({ longUrl: TARGET, customSlug: 'one', tags: ['foo', 'bar'] });
    await client.createShortUrl({ longUrl: TARGET, customSlug: 'two', tags: ['foo'] });
    await visit(service, '/one');
    await storeVisits(service);
    expect((await client.listTags()).data).toEqual(['bar', 'foo']);
    const visits = (total: number) => ({ total, nonBots: total, bots: 0 });
    expect((await client.tagsStats()).data).toEqual([
      { tag: 'bar', shortUrlsCount: 1, visitsSummary: visits(1) },
      { tag: 'foo', shortUrlsCount: 2, visitsSummary: visits(1) },
    ]);
    await client.editTag({ oldName: 'foo', newName: 'Baz' });
    expect((await client.listTags()).data).toEqual(['Baz', 'bar']);
    await expect(client.editTag({ oldName: 'bar', newName: 'baz' })).rejects.toMatchObject({
      ...{ status: 409, type: 'https://shlink.io/api/error/tag-conflict' },
    });
    await expect(client.editTag({ oldName: 'foo', newName: 'x' })).rejects.toMatchObject({
      ...{ status: 404, type: 'https://shlink.io/api/error/tag-not-found' },
    });
    await client.deleteTags(['Baz', 'bar']);
    expect((await client.listTags()).data).toEqual([]);
    expect((await client.listShortUrls()).data).toHaveLength(3);
  });

  test('reads health, domains and visits, and learns what there is not', async () => {
    const { client, service } = await startWithClient();
    expect(await client.health()).toEqual({
      status: 'pass',
      version: '4.1.0',
      links: { about: 'https://s.example/api/docs', project: 'https://git.example/curt/curt' },
    });
    const { data } = await client.listDomains();
    expect(data).toEqual([expect.objectContaining({ domain: 's.example', isDefault: true })]);
    await client.createShortUrl({ longUrl: TARGET, customSlug: 'one' });
    await visit(service, '/one');
    await storeVisits(service);
    expect((await client.getVisitsOverview()).nonOrphanVisits).toMatchObject({ total: 1 });
    const missing = { status: 501 };
    await expect(client.mercureInfo()).rejects.toMatchObject({
      ...{ ...missing, type: 'https://shlink.io/api/error/mercure-not-configured' },
    });
    for (const ask of [
      () => client.getShortUrlVisits({ shortCode: 'one' }),
      () => client.deleteShortUrlVisits({ shortCode: 'one' }),
      () => client.getTagVisits('one'),
      () => client.getDomainVisits('s.example'),
      () => client.getOrphanVisits(),
      () => client.deleteOrphanVisits(),
      () => client.getNonOrphanVisits(),
      () => client.getShortUrlRedirectRules({ shortCode: 'one' }),
      () => client.setShortUrlRedirectRules({ shortCode: 'one' }, { redirectRules: [] }),
      () => client.editDomainRedirects({ domain: 's.example' }),
    ]) {
      const expected = { ...missing, detail: expect.stringMatching(/dashboard/) };
      await expect(ask(), String(ask)).rejects.toMatchObject(expected);
    }
    await expect(client.getShortUrlVisits({ shortCode: 'none' })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('POST /short-urls', () => {
  test.each([
    [
      'JSON as text',
      'text/plain',
      JSON.stringify({ longUrl: TARGET, maxVisits: null, domain: '' }),
    ],
    [
      'a form',
      'application/x-www-form-urlencoded',
      `longUrl=${encodeURIComponent(TARGET)}&tags[]=a`,
    ],
    ['unknown fields', 'application/json', JSON.stringify({ longUrl: TARGET, customTags: 'x' })],
  ])('takes %s', async (_, type, payload) => {
    const service = shared();
    const token = await newKey(service);
    const options = { payload, headers: { 'content-type': type } };
    for (const version of ['v1', 'v2', 'v3']) {
      const response = await rest(service, `POST /rest/${version}/short-urls`, token, options);
      expect([response.statusCode, response.json().longUrl], response.body).toEqual([200, TARGET]);
    }
  });

  test.each([
    ['a taken slug', { longUrl: TARGET, customSlug: 'taken' }, 'non-unique-slug', undefined],
    ['no URL', {}, 'invalid-data', ['longUrl']],
    ['a prefix', { longUrl: TARGET, pathPrefix: 'go' }, 'invalid-data', ['pathPrefix']],
    [
      'an end in the past',
      { longUrl: TARGET, validUntil: '2020-01-01T00:00:00Z' },
      'invalid-data',
      undefined,
    ],
    ['an unknown domain', { longUrl: TARGET, domain: 'x.example' }, 'invalid-data', ['domain']],
    ['no number', { longUrl: TARGET, maxVisits: 'many' }, 'invalid-data', ['maxVisits']],
    ['a slash', { longUrl: TARGET, customSlug: 'a/b' }, 'invalid-data', ['customSlug']],
  ])('answers 400 to %s', async (_, body, code, invalidElements) => {
    const service = await startService();
    const { authToken } = await makeLink(service, { customAlias: 'taken' });
    const headers = { 'content-type': 'application/json' };
    const options = { payload: JSON.stringify(body), headers };
    const response = await rest(service, 'POST /rest/v3/short-urls', authToken, options);
    expect(response.statusCode).toBe(400);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.json()).toMatchObject({
      ...{ type: `https://shlink.io/api/error/${code}`, status: 400 },
      ...(invalidElements && { invalidElements }),
    });
    expect(response.json().detail).not.toMatch(/originalUrl|customAlias|expiresAt/);
  });
});

test('GET /short-urls/shorten answers with text or JSON, and HEAD creates nothing', async () => {
  const service = await startService({ env: { LOG_REQUESTS: 'all' } });
  const apiKey = await newKey(service);
  const url = `/rest/v2/short-urls/shorten?${new URLSearchParams({ apiKey, longUrl: TARGET })}`;
  const text = await rest(service, `GET ${url}&format=txt`);
  expect(text.body).toMatch(/^https:\/\/s\.example\/[a-z2-9]{7}$/);
  const accepted = await rest(service, `GET ${url}`, undefined, {
    headers: { accept: 'text/plain' },
  });
  expect(accepted.body).toMatch(/^https:/);
  expect((await rest(service, `GET ${url}`)).json()).toMatchObject({ longUrl: TARGET });
  const before = (await service.store.overview()).links;
  expect((await rest(service, `HEAD ${url}` as 'GET /')).statusCode).toBe(401);
  expect((await rest(service, `GET ${url.replace(apiKey, '')}`)).statusCode).toBe(401);
  const cut = `/rest/v2/short-urls/shorten?apiKey=${apiKey}&longUrl=https://example.com/?a=1&b=2`;
  const rejected = await rest(service, `GET ${cut}`);
  expect(rejected.json()).toMatchObject({ status: 400, invalidElements: ['longUrl'] });
  expect(rejected.json().detail).toContain('"&b"');
  expect((await service.store.overview()).links).toBe(before);
  expect(service.logLines.join('')).not.toContain(apiKey);
});

test.each([
  ['no key', undefined, 'missing-authentication'],
  ['a wrong key', `curt_${'A'.repeat(43)}`, 'invalid-api-key'],
])('%s is 401, and opens no account', async (_, key, code) => {
  const service = shared();
  for (const request of [
    'GET /rest/v3/short-urls',
    'POST /rest/v3/short-urls',
    'GET /rest/v3/tags',
  ]) {
    const response = await rest(service, request, key);
    expect([response.statusCode, response.json().type]).toEqual([
      ...[401, `https://shlink.io/api/error/${code}`],
    ]);
  }
});

test('a key may do what its scope allows, and creating counts against the rate limit', async () => {
  const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '3' } });
  const create = await newKey(service, 'create');
  const options = { payload: JSON.stringify({ longUrl: TARGET }) };
  const first = await rest(service, 'POST /rest/v3/short-urls', create, options);
  expect(first.statusCode).toBe(200);
  expect((await rest(service, 'GET /rest/v3/short-urls', create)).statusCode).toBe(403);
  await rest(service, 'POST /rest/v3/short-urls', create, options);
  await rest(service, 'POST /rest/v3/short-urls', create, options);
  const limited = await rest(service, 'POST /rest/v3/short-urls', create, options);
  expect([limited.statusCode, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
});

test('another origin may call it if it is in CORS_ORIGINS, with PUT and the header of the key', async () => {
  const service = await startService({ env: { CORS_ORIGINS: 'https://app.example' } });
  const preflight = (origin: string) =>
    rest(service, 'OPTIONS /rest/v3/tags' as 'GET /', undefined, {
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'x-api-key,content-type',
      },
    });
  const { headers } = await preflight('https://app.example');
  expect(headers['access-control-allow-origin']).toBe('https://app.example');
  expect(headers['access-control-allow-methods']).toContain('PUT');
  expect(headers['access-control-allow-headers']).toContain('x-api-key');
  const other = await preflight('https://evil.example');
  expect(other.headers['access-control-allow-origin']).toBeUndefined();
});

test('an alias "rest" is a link as any other, and an unknown endpoint a problem', async () => {
  const service = shared();
  await makeLink(service, { customAlias: 'rest', originalUrl: TARGET });
  expect((await visit(service, '/rest')).headers.location).toBe(TARGET);
  expect((await visit(service, '/rest/qr.svg')).statusCode).toBe(200);
  const unknown = await rest(service, 'GET /rest/v3/nothing');
  expect([unknown.statusCode, unknown.json().type]).toEqual([
    ...[404, 'https://shlink.io/api/error/not-found'],
  ]);
  const statusOf = async (request: string) => (await rest(service, request)).statusCode;
  for (const version of ['v1', 'v2', 'v3']) {
    expect(await statusOf(`GET /rest/${version}/health`)).toBe(200);
    expect(await statusOf(`PROPFIND /rest/${version}/health`)).toBe(405);
  }
  for (const version of ['v4', 'v33', 'xv3', 'v']) {
    expect(await statusOf(`GET /rest/${version}/health`)).toBe(404);
    expect(await statusOf(`PROPFIND /rest/${version}/health`)).toBe(404);
  }
  expect(await statusOf('OPTIONS /rest')).toBe(405);
});

test('a list goes on where a page of the store ends early', async () => {
  const service = shared();
  const token = await newKey(service);
  const description = 'd'.repeat(2000);
  const url = `https://example.com/${'u'.repeat(8000)}`;
  for (const part of [1, 2, 3]) {
    const body = Array.from({ length: 60 }, (_, index) => ({
      ...{ originalUrl: url, customAlias: `large-${part}-${index}`, description },
    }));
    for (let from = 0; from < body.length; from += 20) {
      const links = body.slice(from, from + 20);
      await call(service, 'POST /api/links/batch', { token, body: links });
    }
  }
  const response = await rest(service, 'GET /rest/v3/short-urls?itemsPerPage=-1', token);
  const { data, pagination } = response.json().shortUrls;
  expect([data.length, pagination.totalItems]).toEqual([181, 181]);
});

test.each([
  ['too many words', 'GET /rest/v3/short-urls?searchTerm=e', '+e'.repeat(150)],
  ['too many tags', 'GET /rest/v3/short-urls?tags[]=a', '&tags[]=b'.repeat(100)],
  ['too many tags to delete', 'DELETE /rest/v3/tags?tags[]=a', '&tags[]=b'.repeat(100)],
])('%s are 400', async (_, request, rest_) => {
  const service = shared();
  const response = await rest(service, request + rest_, await newKey(service));
  expect([response.statusCode, response.json().title]).toEqual([400, 'Invalid data']);
});

test('an alias that no link can have is a 404', async () => {
  const service = shared();
  const token = await newKey(service);
  const response = await rest(service, 'GET /rest/v3/short-urls/%00', token);
  expect(response.statusCode).toBe(404);
});

test('the port that a server has chosen is in its short URLs and addresses', async () => {
  const service = await startService({ env: { BASE_URL: '', PORT: '0' } });
  const address = await service.app.listen({ port: 0, host: 'localhost' });
  const { port } = new URL(address);
  const { shortUrl } = await makeLink(service);
  expect(new URL(shortUrl).port).toBe(port);
  const { links } = (await rest(service, 'GET /rest/health')).json();
  expect(new URL(links.about).port).toBe(port);
});
