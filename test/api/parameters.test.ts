import { describe, expect, test } from 'vitest';
import { ADMIN, ADMIN_TOKEN, createAccount } from './admin/as-admin.ts';
import { type Operation, operationsOfApi } from './any-input/operations.ts';
import { startWithLink } from './links/with-link.ts';
import { BASE_URL, call, shorten, startService } from './support.ts';

const PROXY = { IDENTITY_HEADER: 'X-Forwarded-User', TRUST_PROXY: '127.0.0.1' };

/** A service with all operations, and a function that sends what one accepts, but for its query. */
async function startWithAll() {
  const service = await startService({ env: { ...ADMIN.env, ...PROXY } });
  const { token } = await createAccount(service);
  const send = ({ method, path, types, examples }: Operation, query: string) => {
    const [type] = types;
    const address = path.replace('{kind}', 'host').replace(/\{\w+\}/g, 'launch');
    return call(service, `${method} ${address}?${query}`, {
      token: path.startsWith('/api/admin') ? ADMIN_TOKEN : token,
      headers: {
        ...{
          host: 's.example',
          'x-forwarded-user': 'ann',
          'sec-fetch-site': 'same-origin',
          origin: BASE_URL,
        },
        ...(type && { 'content-type': type }),
      },
      body: type && JSON.stringify(examples[0] ?? {}),
    });
  };
  return { operations: await operationsOfApi(service.app), send };
}

test('every endpoint refuses an unknown parameter, with or without a value, and names it', async () => {
  const { operations, send } = await startWithAll();
  expect(operations.length).toBeGreaterThan(45);
  for (const operation of operations) {
    for (const query of ['dryrun', 'dryrun=', 'dryrun=1', 'constructor=']) {
      const response = await send(operation, query);
      const { code, issues = [] } = response.json();
      const name = query.split('=')[0];
      expect(
        [response.statusCode, code, issues[0]?.path],
        `${operation.method} ${operation.path}?${query}`,
      ).toEqual([400, 'invalid_request', name]);
    }
  }
});

test.each([
  ['POST /api/shorten?password=secret', { originalUrl: 'https://example.com/' }],
  ['PATCH /api/links/launch?isActive=false', { title: 'Sale' }],
])('a field of the body does not belong in the URL: %s', async (request, body) => {
  const { service, token } = await startWithLink();
  const response = await call(service, request, { token, body });
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
  expect(response.json().message).toContain('Is a field of the JSON body');
});

describe('a flag', () => {
  test.each([
    ['PATCH /api/links?tag=old&dryRun', { isActive: false }],
    ['PATCH /api/links?tag=old&dryRun=1', { isActive: false }],
    ['DELETE /api/links?tag=old&dryRun', undefined],
    ['DELETE /api/links?all&dryRun=', undefined],
    ['DELETE /api/links?all=1&dryRun=true', undefined],
  ])('without a value is true: %s', async (request, body) => {
    const { service, token, record } = await startWithLink({ tags: ['old'] });
    const response = await call(service, request, { token, body });
    expect(response.json().data).toMatchObject({ matched: 1, changed: [] });
    const { data } = (await call(service, 'GET /api/links/launch', { token })).json();
    expect([data.status, data.version]).toEqual(['active', record.version]);
  });

  test('without a value is true: an import', async () => {
    const { service, token } = await startWithLink();
    const response = await call(service, 'POST /api/links/import?dryRun', {
      ...{ token, headers: { 'content-type': 'text/csv' } },
      body: 'originalUrl\nhttps://example.com/imported\n',
    });
    expect(response.json().data).toMatchObject({ dryRun: true, importId: null });
  });

  test.each([
    ['?purge', null],
    ['?purge=1', null],
    ['?purge=0', { status: 'deleted' }],
    ['?purge=false', { status: 'deleted' }],
  ])('without a value is true: DELETE /api/links/launch%s', async (query, left) => {
    const { service, token } = await startWithLink();
    const { data } = (await call(service, `DELETE /api/links/launch${query}`, { token })).json();
    if (left === null) expect(data).toBeNull();
    else expect(data).toMatchObject(left);
  });

  test.each(['?purge=yes', '?purge=true&purge=false', '?purge&dryRun'])(
    'with another value changes nothing: DELETE /api/links/launch%s',
    async (query) => {
      const { service, token } = await startWithLink();
      const response = await call(service, `DELETE /api/links/launch${query}`, { token });
      expect(response.statusCode).toBe(400);
      expect((await service.store.findLink('launch'))?.deletedAt).toBeNull();
    },
  );
});

describe('a key in the wrong place', () => {
  const TARGET = { originalUrl: 'https://example.com/' };

  test.each(['api_key', 'apikey', 'apiKey', 'token', 'access_token', 'key'])(
    'is refused with the right place: ?%s=',
    async (name) => {
      const { service, token } = await startWithLink();
      const response = await call(service, `POST /api/shorten?${name}=${token}`, { body: TARGET });
      expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
      expect(response.json().message).toContain('Authorization: Bearer <key>');
      expect(response.body).not.toContain(token);
    },
  );

  test.each(['api-key', 'X-Auth-Token', 'Private-Token'])(
    'is refused with the right place: %s',
    async (name) => {
      const { service, token } = await startWithLink();
      const headers = { [name]: token };
      for (const request of ['POST /api/shorten', 'GET /api/links']) {
        const body = request.startsWith('POST') ? TARGET : undefined;
        const response = await call(service, request, { headers, body });
        expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
        expect(response.json().message).toContain('Authorization: Bearer <key>');
        expect(response.body).not.toContain(token);
      }
    },
  );

  test('does not matter beside one in the right place', async () => {
    const { service, token } = await startWithLink();
    const headers = { 'x-auth-token': 'of a proxy' };
    expect((await shorten(service, TARGET, { token, headers })).statusCode).toBe(200);
  });
});
