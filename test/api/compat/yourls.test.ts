import { describe, expect, test } from 'vitest';
import { call, makeLink, sharedService, startService, type TestService } from '../support.ts';
import { storeVisits, visit } from '../visits/visiting.ts';
import { newKey } from './new-key.ts';

const TARGET = 'https://example.com/page?a=1&b=2';
const FORM = 'application/x-www-form-urlencoded';

function get(service: TestService, query: Record<string, string>) {
  return service.app.inject({ url: `/yourls-api.php?${new URLSearchParams(query)}` });
}

function post(service: TestService, form: Record<string, string>, headers = {}) {
  return service.app.inject({
    method: 'POST',
    url: '/yourls-api.php',
    headers: { 'content-type': FORM, ...headers },
    payload: new URLSearchParams(form).toString(),
  });
}

/** As ShareX writes it, byte for byte: a boundary with hyphens, and no type of a part. */
function shareX(fields: Record<string, string>) {
  const boundary = '--------------------8dd5f0a1b2c3d4e';
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    method: 'POST' as const,
    url: '/yourls-api.php',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'user-agent': 'ShareX',
    },
    payload: `${parts.join('')}--${boundary}--\r\n`,
  };
}

const shared = sharedService();

describe('action=shorturl', () => {
  test('answers with the link in JSON, as n8n, PrivateBin and Raycast read it', async () => {
    const service = shared();
    const signature = await newKey(service);
    const form = { signature, format: 'json', action: 'shorturl', url: TARGET, title: 'A\npage' };
    const response = await post(service, form);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    const { url, shorturl, ...rest } = response.json();
    expect(shorturl).toMatch(/^https:\/\/s\.example\/[a-z2-9]{7}$/);
    expect(rest).toEqual({
      status: 'success',
      code: '',
      message: `${TARGET} added to database`,
      errorCode: '',
      title: 'A page',
      statusCode: '200',
    });
    expect(url).toEqual({
      keyword: shorturl.slice('https://s.example/'.length),
      url: TARGET,
      title: 'A page',
      date: '2026-11-20 12:00:00',
      ip: '',
    });
  });

  test('answers with the short URL alone to the bytes that ShareX sends', async () => {
    const service = shared();
    const password = await newKey(service);
    const fields = { action: 'shorturl', url: TARGET, format: 'simple', username: 'me', password };
    const response = await service.app.inject(shareX(fields));
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.body).toMatch(/^https:\/\/s\.example\/[a-z2-9]{7}$/);
  });

  test('fills a template: the query of a GET is enough, and the same URL gets the same link', async () => {
    const service = shared();
    const signature = await newKey(service);
    const query = { signature, action: 'shorturl', format: 'simple', url: 'https://example.com/t' };
    const first = await get(service, query);
    expect([first.statusCode, first.body]).toEqual([200, expect.stringMatching(/^https:/)]);
    expect((await get(service, query)).body).toBe(first.body);
    const again = await get(service, { ...query, format: 'json' });
    expect(again.json()).toMatchObject({ status: 'success', shorturl: first.body });
    expect(again.json().message).toContain('already exists');
  });

  test('answers in XML by default', async () => {
    const service = shared();
    const query = { signature: await newKey(service), action: 'shorturl', url: TARGET };
    const response = await get(service, query);
    expect(response.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(response.body).toContain('<?xml version="1.0" encoding="UTF-8"?>\n<root>');
    expect(response.body).toContain('<url>https://example.com/page?a=1&amp;b=2</url>');
    expect(response.body).toMatch(/<shorturl>https:\/\/s\.example\/[a-z2-9]{7}<\/shorturl>/);
  });

  test.each([
    ['no URL', {}, 400, 'error:nourl'],
    ['no valid URL', { url: 'nonsense' }, 400, 'error:nourl'],
    ['a short URL', { url: 'https://s.example/loop' }, 400, 'error:noloop'],
    ['a taken alias', { url: TARGET, keyword: 'taken' }, 400, 'error:keyword'],
    ['a reserved alias', { url: TARGET, keyword: 'api' }, 400, 'error:keyword'],
    ['no valid alias', { url: TARGET, keyword: 'ä b' }, 400, 'error:keyword'],
  ])('says what is wrong with %s', async (_, fields, status, code) => {
    const service = await startService();
    await makeLink(service, { customAlias: 'taken' });
    const form = {
      signature: await newKey(service),
      action: 'shorturl',
      format: 'json',
      ...fields,
    };
    const response = await post(service, form);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ status: 'fail', code, errorCode: String(status) });
    expect((await post(service, { ...form, format: 'simple' })).body).toBe('');
  });

  test('rejects a URL that is cut off at its first "&", because it was not encoded', async () => {
    const service = shared();
    const signature = await newKey(service);
    const start = `signature=${signature}&action=shorturl&format=json`;
    const send = (rest: string) => [
      service.app.inject({ url: `/yourls-api.php?${start}&${rest}` }),
      service.app.inject({
        method: 'POST',
        url: '/yourls-api.php',
        headers: { 'content-type': FORM },
        payload: `${rest}&${start}`,
      }),
    ];
    for (const response of await Promise.all(send('url=https://example.com/?name=a&city=b'))) {
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ code: 'error:nourl' });
      expect(response.json().message).toContain('"&city"');
    }
    // A program may send more than YOURLS knows.
    const encoded = `url=${encodeURIComponent('https://example.com/?name=a&city=b')}&source=x`;
    for (const response of await Promise.all(send(encoded))) {
      expect(response.json().url.url).toBe('https://example.com/?name=a&city=b');
    }
  });

  test('counts against the rate limit, whose answer has the shape of this API', async () => {
    const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '2' } });
    const signature = await newKey(service);
    const query = { signature, action: 'shorturl', format: 'json', url: TARGET };
    await get(service, query);
    const response = await get(service, query);
    const limited = await get(service, query);
    expect([response.statusCode, limited.statusCode]).toEqual([200, 429]);
    expect(limited.json()).toMatchObject({ code: 'error:rate_limited', errorCode: '429' });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('other actions', () => {
  test('expand, url-stats, stats and db-stats tell what the account has, and nothing of others', async () => {
    const service = await startService();
    const { authToken: signature } = await makeLink(service, { customAlias: 'one', title: 'One' });
    await makeLink(service, { customAlias: 'two', originalUrl: TARGET }, { token: signature });
    await makeLink(service, { customAlias: 'other' });
    await visit(service, '/two');
    await storeVisits(service);
    const ask = async (query: Record<string, string>) =>
      (await get(service, { signature, format: 'json', ...query })).json();
    expect(await ask({ action: 'expand', shorturl: 'https://s.example/two' })).toEqual({
      ...{ keyword: 'two', shorturl: 'https://s.example/two', longurl: TARGET, title: TARGET },
      ...{ message: 'success', statusCode: '200' },
    });
    for (const shorturl of ['other', 'none']) {
      expect(await ask({ action: 'expand', shorturl })).toMatchObject({ errorCode: '404' });
    }
    const row = {
      ...{ shorturl: 'https://s.example/two', url: TARGET, title: TARGET },
      ...{ timestamp: '2026-11-20 12:00:00', ip: '', clicks: '1' },
    };
    const urlStats = await ask({ action: 'url-stats', shorturl: 'two' });
    expect(urlStats).toEqual({ statusCode: '200', message: 'success', link: row });
    const all = { total_links: 2, total_clicks: 1 };
    expect(await ask({ action: 'db-stats' })).toMatchObject({ 'db-stats': all });
    const stats = await ask({ action: 'stats', filter: 'top', limit: '9999' });
    expect(stats.stats).toEqual(all);
    expect(stats.links.link_1).toEqual(row);
    expect(Object.keys(stats.links)).toEqual(['link_1', 'link_2']);
    const rest = await ask({ action: 'stats', filter: 'top', limit: '1', start: '1' });
    expect(rest.links.link_1.title).toBe('One');
    expect(await ask({ action: 'stats' })).not.toHaveProperty('links');
    expect(await ask({ action: 'stats', filter: 'rand' })).toMatchObject({ statusCode: '400' });
    const deleted = await call(service, 'DELETE /api/links/two', { token: signature });
    expect(deleted.statusCode).toBe(200);
    expect(await ask({ action: 'expand', shorturl: 'two' })).toMatchObject({ errorCode: '404' });
    expect(await ask({ action: 'db-stats' })).toMatchObject({ 'db-stats': { total_links: 1 } });
  });

  test('version is what a program needs to connect', async () => {
    const service = shared();
    const signature = await newKey(service);
    const xml = await post(service, { signature, action: 'version' });
    expect(xml.body).toMatch(/<version>(\d+\.\d+.*)<\/version>/);
  });
});

describe('a key', () => {
  test.each([
    ['none', {}],
    ['a wrong one', { signature: `curt_${'A'.repeat(43)}` }],
    ['a password that is none', { username: 'admin', password: 'admin' }],
    ['a signature of a time', { signature: 'd41d8cd98f00b204e9800998ecf8427e', timestamp: '1' }],
  ])('is required: %s', async (_, fields) => {
    const service = shared();
    const before = (await service.store.overview()).links;
    const form = { ...fields, action: 'shorturl', url: TARGET, format: 'json' };
    const response = await post(service, form as Record<string, string>);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ errorCode: '403', callback: '' });
    expect((await service.store.overview()).links).toBe(before);
  });

  test('that may only create reads nothing', async () => {
    const service = shared();
    const signature = await newKey(service, 'create');
    const created = await get(service, { signature, action: 'shorturl', url: TARGET });
    expect(created.statusCode).toBe(200);
    expect((await get(service, { signature, action: 'stats' })).statusCode).toBe(403);
  });

  test('in a query is in no line of the log', async () => {
    const service = await startService({ env: { LOG_REQUESTS: 'all' } });
    const signature = await newKey(service);
    await get(service, { signature, action: 'shorturl', url: TARGET });
    await get(service, { signature, action: 'nothing' });
    expect(service.logLines.join('')).toContain('/yourls-api.php');
    expect(service.logLines.join('')).not.toContain(signature);
  });
});

test('an unknown action, an unknown format and JSONP get a sentence', async () => {
  const service = shared();
  const signature = await newKey(service);
  const unknown = await get(service, { signature, action: 'delete', format: 'json' });
  expect(unknown.json()).toEqual({
    ...{ statusCode: '400', errorCode: '400' },
    message: 'Unknown or missing "action" parameter',
  });
  expect((await get(service, { signature, format: 'JSON' })).body).toContain('Unknown or missing');
  const jsonp = await get(service, { signature, action: 'version', format: 'jsonp' });
  expect([jsonp.statusCode, jsonp.json().message]).toEqual([400, expect.stringContaining('JSONP')]);
});

test('HEAD creates nothing, pages of other sites can’t call it, and COMPAT=off turns it off', async () => {
  const service = await startService();
  const signature = await newKey(service);
  const before = (await service.store.overview()).links;
  const query = new URLSearchParams({ signature, action: 'shorturl', url: TARGET });
  const url = `/yourls-api.php?${query}`;
  const head = await service.app.inject({ method: 'HEAD', url });
  expect(head.statusCode).toBe(404);
  const site = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  const form = { signature, action: 'shorturl', url: TARGET };
  expect((await post(service, form, site)).statusCode).toBe(403);
  expect((await service.store.overview()).links).toBe(before);
  const other = await startService({ env: { COMPAT: 'off' } });
  expect((await other.app.inject({ url })).statusCode).toBe(404);
  expect((await other.app.inject({ url: '/rest/health' })).statusCode).toBe(404);
});
