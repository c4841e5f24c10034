import { describe, expect, test } from 'vitest';
import { ADMIN, ADMIN_TOKEN } from './admin/as-admin.ts';
import { sharedWithLink, startWithLink } from './links/with-link.ts';
import { statusesIn, talk } from './raw-http.ts';
import { call, sharedService, shorten, startService, type TestService } from './support.ts';

const LINK = { originalUrl: 'https://example.com/page' };
const JSON_TYPE = 'application/json';

async function deleteLink(service: TestService, token: string) {
  const deleted = await call(service, 'DELETE /api/links/launch', { token });
  expect(deleted.statusCode).toBe(200);
}

/** Restores the link `launch` with these headers and, if there is one, this body. */
const restore = (service: TestService, token: string, headers: object, payload?: string) =>
  service.app.inject({
    method: 'POST',
    url: '/api/links/launch/restore',
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(payload !== undefined && { payload }),
  });

describe('a call without a body', () => {
  const withLink = sharedWithLink();

  test.each([
    ['axios', 'application/x-www-form-urlencoded'],
    ['curl -d ""', 'application/x-www-form-urlencoded'],
    ['a client with a default', JSON_TYPE],
    ['Java', 'text/plain; charset=ISO-8859-1'],
    ['a form without fields', 'multipart/form-data; boundary=x'],
    ['a program that is wrong', 'json'],
  ])('can have the Content-Type of %s: %s', async (_, type) => {
    const { service, token } = withLink();
    for (const [headers, payload] of [[{}], [{ 'content-length': '0' }], [{}, '']] as const) {
      await deleteLink(service, token);
      const restored = await restore(service, token, { ...headers, 'content-type': type }, payload);
      expect(restored.statusCode, restored.body).toBe(200);
    }
  });

  test('can be sent in chunks', async () => {
    const { service, token } = await startWithLink();
    await deleteLink(service, token);
    const answer = await talk(
      service.app,
      [
        'POST /api/links/launch/restore HTTP/1.1',
        'Host: s.example',
        `Authorization: Bearer ${token}`,
        'Connection: close',
        'Content-Type: text/plain',
        'Transfer-Encoding: chunked',
        '',
        '0\r\n\r\n',
      ].join('\r\n'),
    );
    expect(statusesIn(answer)).toEqual([200]);
  });

  test('can have an empty JSON object instead', async () => {
    const { service, token } = await startWithLink();
    await deleteLink(service, token);
    const restored = await restore(service, token, { 'content-type': JSON_TYPE }, '{}');
    expect(restored.statusCode).toBe(200);
  });

  test('is told what is missing if the endpoint needs a body', async () => {
    const service = await startService();
    const empty = await call(service, 'POST /api/shorten', {
      headers: { 'content-type': JSON_TYPE, 'content-length': '0' },
    });
    expect(empty.json()).toMatchObject({ code: 'invalid_json', message: 'The body is empty.' });
    expect((await call(service, 'POST /api/shorten')).statusCode).toBe(415);
  });

  test('of Java, which asks for HTTP/2, is answered', async () => {
    const { service, token } = await startWithLink();
    await deleteLink(service, token);
    const answer = await talk(
      service.app,
      [
        'POST /api/links/launch/restore HTTP/1.1',
        'Connection: Upgrade, HTTP2-Settings, close',
        'Content-Length: 0',
        'Host: s.example',
        'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
        'Upgrade: h2c',
        'User-Agent: Java-http-client/25',
        `Authorization: Bearer ${token}`,
        '\r\n',
      ].join('\r\n'),
    );
    expect(statusesIn(answer)).toEqual([200]);
  });
});

describe('a body', () => {
  const shared = sharedService();

  const send = (service: TestService, type: string, payload: string | Buffer, headers = {}) =>
    service.app.inject({
      method: 'POST',
      url: '/api/shorten',
      headers: { 'content-type': type, ...headers },
      payload,
    });

  test.each([
    'application/json;',
    'application/json; charset',
    'APPLICATION/JSON ; Charset="UTF8"; boundary=x',
    'application/json; odata.metadata=minimal; charset=us-ascii',
    'application/json;charset=utf-8;version=1',
  ])('is JSON whatever else its type says: %s', async (type) => {
    const response = await send(shared(), type, JSON.stringify(LINK));
    expect(response.statusCode, response.body).toBe(200);
  });

  test.each([
    ['application/json; charset=iso-8859-1', {}, /UTF-8, not in iso-8859-1/],
    ['application/json; charset=utf-16le', {}, /UTF-8, not in utf-16le/],
    [JSON_TYPE, { 'content-encoding': 'gzip' }, /uncompressed/],
    [JSON_TYPE, { 'content-encoding': 'deflate' }, /uncompressed/],
    ['text/plain', {}, /Content-Type: application\/json/],
    ['application/jsonp', {}, /Content-Type: application\/json/],
    ['application/x-www-form-urlencoded', {}, /Content-Type: application\/json/],
  ])('of another kind is told apart: %s %o', async (type, headers, message) => {
    const response = await send(shared(), type, JSON.stringify(LINK), headers);
    expect([response.statusCode, response.json().code]).toEqual([415, 'unsupported_media_type']);
    expect(response.json().message).toMatch(message);
  });

  test('that an endpoint does not need must be JSON, too', async () => {
    const { service, token } = await startWithLink();
    const text = await restore(service, token, { 'content-type': 'text/plain' }, 'x');
    expect(text.statusCode).toBe(415);
    const broken = await restore(service, token, { 'content-type': JSON_TYPE }, '{');
    expect(broken.json().code).toBe('invalid_json');
  });

  test.each([
    ['{"originalUrl":"https://example.com/",}', 'at position 38 (line 1 column 39)', false],
    ['{\n  "originalUrl": "a"\n  "title": "b"\n}', 'at position 25 (line 3 column 3)', false],
    ['{"title":"é","tags":[1 2]}', 'at position 23 (line 1 column 24)', false],
    ['{"title":"one\nline"}', 'at position 13 (line 1 column 14)', false],
    ['{"originalUrl":https://example.com/}', "Unexpected token 'h'", false],
    ['[1,', 'end of JSON input', false],
    ['{originalUrl:https://example.com/}', 'at position 1 (line 1 column 2)', true],
    ["{'originalUrl':'https://example.com/'}", 'at position 1 (line 1 column 2)', true],
    [`'{"originalUrl":"https://example.com/"}'`, 'Unexpected token', true],
    ['{\\"originalUrl\\":1}', 'at position 1 (line 1 column 2)', true],
    ['{“originalUrl”:1}', 'at position 1 (line 1 column 2)', true],
  ])('that is not JSON is told why: %s', async (body, why, hasHint) => {
    const response = await send(shared(), JSON_TYPE, body);
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_json']);
    const { message } = response.json();
    expect(message).toMatch(/^The body is not valid JSON: .*\.$/);
    expect(message).toContain(why);
    expect(message.includes('Some shells remove them')).toBe(hasHint);
  });
});

describe('POST / of what is not its form', () => {
  const withLink = sharedWithLink();

  test.each([
    [JSON_TYPE, JSON.stringify({ ...LINK, password: 'secret', expiresInDays: 1 })],
    ['text/plain', 'originalUrl=https://example.com'],
    ['multipart/form-data; boundary=x', '--x--'],
    [undefined, JSON.stringify(LINK)],
  ])('creates nothing and names the endpoint: %s', async (type, payload) => {
    const { service, token } = withLink();
    const { app } = service;
    const response = await app.inject({
      method: 'POST',
      url: '/',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(type && { 'content-type': type }),
      },
      payload,
    });
    expect([response.statusCode, response.json().code]).toEqual([415, 'unsupported_media_type']);
    expect(response.json().message).toContain('POST /api/shorten');
    const links = await call(service, 'GET /api/links', { token });
    expect(links.json().data).toHaveLength(1);
  });
});

describe('a token', () => {
  test('can be sent as X-API-Key', async () => {
    const { service, token } = await startWithLink();
    for (const headers of [
      { 'x-api-key': token },
      { 'x-api-key': ` ${token} ` },
      { 'x-api-key': token, authorization: `Bearer ${token}` },
      { 'x-api-key': token, authorization: 'Basic YTpi' },
      { 'x-api-key': token, authorization: 'Digest username="a", realm="b"' },
      { 'x-api-key': token, authorization: 'Negotiate' },
    ]) {
      const response = await call(service, 'GET /api/links', { headers });
      expect(response.statusCode, JSON.stringify(headers)).toBe(200);
    }
  });

  test('is rejected if both headers have another one, or one of them has none', async () => {
    const { service, token } = await startWithLink();
    const other = `curt_${'A'.repeat(43)}`;
    for (const headers of [
      { 'x-api-key': other, authorization: `Bearer ${token}` },
      { 'x-api-key': token, authorization: `Bearer ${other}` },
      { 'x-api-key': token, authorization: 'Bearer' },
      { 'x-api-key': token, authorization: 'bearer a b' },
      { 'x-api-key': '', authorization: 'Basic YTpi' },
      { authorization: 'Basic YTpi' },
      { 'x-api-key': '', authorization: `Bearer ${token}` },
      { 'x-api-key': '' },
      { 'x-api-key': `Bearer ${token}` },
    ]) {
      const rejected = await shorten(service, LINK, { headers });
      expect([rejected.statusCode, rejected.json().code]).toEqual([401, 'invalid_token']);
    }
  });

  test('of the administrator can be sent as X-API-Key', async () => {
    const service = await startService(ADMIN);
    const read = (key: string) =>
      call(service, 'GET /api/admin/accounts', { headers: { 'x-api-key': key } });
    expect((await read(ADMIN_TOKEN)).statusCode).toBe(200);
    expect((await read('another')).json().code).toBe('invalid_token');
  });
});

test.each([
  ['GET /api/links', {}],
  ['GET /api/links', { authorization: 'Basic YTpi' }],
  ['POST /api/shorten', { 'x-api-key': 'none' }],
  ['GET /api/admin/accounts', {}],
  ['GET /api/admin/accounts', { authorization: 'Bearer none' }],
  ['POST /api/identity/admin', { 'sec-fetch-site': 'same-origin' }],
])('a 401 says how to authenticate: %s %o', async (request, headers) => {
  const env = { ...ADMIN.env, IDENTITY_HEADER: 'X-Forwarded-User', TRUST_PROXY: '127.0.0.1' };
  const service = await startService({ env });
  const response = await call(service, request, { headers: { host: 's.example', ...headers } });
  expect(response.statusCode, response.body).toBe(401);
  expect(response.headers['www-authenticate']).toBe('Bearer');
});

describe('duplicate slashes', () => {
  const _shared = sharedService();

  test('are one before a name, too', async () => {
    const { service, token } = await startWithLink();
    expect((await call(service, 'GET //api//links//launch', { token })).statusCode).toBe(200);
    const missing = await call(service, 'GET //api//nothing');
    expect([missing.statusCode, missing.json().code]).toEqual([404, 'not_found']);
  });

  test('in the path of single sign-on are not found, since a proxy may not protect it', async () => {
    const env = { IDENTITY_HEADER: 'X-Forwarded-User', TRUST_PROXY: '127.0.0.1' };
    const service = await startService({ env });
    const headers = {
      host: 's.example',
      'x-forwarded-user': 'ada',
      'sec-fetch-site': 'same-origin',
    };
    const read = (path: string) => call(service, `GET ${path}`, { headers });
    expect((await read('/api/identity')).statusCode).toBe(200);
    for (const path of ['//api/identity', '/api//identity', '/api/identity/', '/%61pi/identity']) {
      expect((await read(path)).statusCode, path).toBe(404);
    }
  });
});
