import { describe, expect, test } from 'vitest';
import type { TokenInfo } from '../../../shared/accounts/account-tokens.ts';
import { call, makeLink, startService } from '../support.ts';

const DAY_MS = 86_400_000;

async function startWithAccount() {
  const service = await startService();
  const { authToken: token } = await makeLink(service);
  const create = (body: unknown) => call(service, 'POST /api/account/tokens', { token, body });
  const list = async (): Promise<TokenInfo[]> =>
    (await call(service, 'GET /api/account/tokens', { token })).json().data;
  const revoke = (id: string, query = '') =>
    call(service, `DELETE /api/account/tokens/${id}${query}`, { token });
  return { service, token, create, list, revoke };
}

describe('POST /api/account/tokens', () => {
  test('answers a token that works at once and is shown only once', async () => {
    const { service, create, list } = await startWithAccount();
    const response = await create({ name: ' CI ', scope: 'all' });
    expect(response.statusCode).toBe(200);
    const { token, ...info } = response.json().data;
    expect(token).toMatch(/^curt_[\w-]{43}$/);
    expect(info).toEqual({
      id: expect.any(String),
      name: 'CI',
      scope: 'all',
      created: '2026-11-20T12:00:00.000Z',
      lastUsedOn: null,
      isCurrent: false,
    });
    expect(await list()).toEqual([expect.objectContaining({ isCurrent: true }), info]);
    const link = await makeLink(service, {}, { token });
    expect(link.authToken).toBe(token);
    const { text } = await service.data.read();
    expect(text).not.toContain(token.slice(5));
  });

  test.each<[unknown, string]>([
    [{ scope: 'all' }, 'name'],
    [{ name: '  ', scope: 'all' }, 'name'],
    [{ name: 'x'.repeat(101), scope: 'all' }, 'name'],
    [{ name: 'a\nb', scope: 'all' }, 'name'],
    [{ name: 'CI' }, 'scope'],
    [{ name: 'CI', scope: 'write' }, 'scope'],
    [{ name: 'CI', scope: 'all', id: 'x' }, 'id'],
  ])('%j is a 400 that names the field', async (body, path) => {
    const { create } = await startWithAccount();
    const response = await create(body);
    expect(response.statusCode).toBe(400);
    expect(response.json().issues).toMatchObject([{ path }]);
  });

  test('is a 409 if the account has 50 tokens', async () => {
    const { create } = await startWithAccount();
    for (let number = 2; number <= 50; number++) {
      expect((await create({ name: `${number}`, scope: 'read' })).statusCode).toBe(200);
    }
    const response = await create({ name: 'one more', scope: 'read' });
    expect(response.statusCode).toBe(409);
    expect(response.json().code).toBe('too_many_tokens');
  });
});

describe('DELETE /api/account/tokens/:id', () => {
  test('revokes a token at once', async () => {
    const { service, create, list, revoke } = await startWithAccount();
    const { id, token } = (await create({ name: 'CI', scope: 'all' })).json().data;
    expect((await revoke(id)).statusCode).toBe(200);
    const response = await call(service, 'GET /api/account', { token });
    expect(response.statusCode).toBe(401);
    expect(response.json().code).toBe('invalid_token');
    expect(await list()).toHaveLength(1);
    expect((await revoke(id)).statusCode).toBe(404);
  });

  test('revokes the last token with the scope "all" only with ?confirm=last', async () => {
    const { create, list, revoke, service, token } = await startWithAccount();
    await create({ name: 'reader', scope: 'read' });
    const [first] = await list();
    const refused = await revoke(String(first?.id));
    expect(refused.statusCode).toBe(409);
    expect(refused.json().code).toBe('last_token');
    expect((await revoke(String(first?.id), '?confirm=yes')).statusCode).toBe(400);
    expect((await revoke(String(first?.id), '?confirm=last')).statusCode).toBe(200);
    expect((await call(service, 'GET /api/account', { token })).statusCode).toBe(401);
  });

  test('of another account is a 404 and changes nothing', async () => {
    const { list, service, revoke } = await startWithAccount();
    const other = await makeLink(service);
    const { data } = (
      await call(service, 'GET /api/account/tokens', { token: other.authToken })
    ).json();
    expect((await revoke(data[0].id, '?confirm=last')).statusCode).toBe(404);
    expect(await list()).toHaveLength(1);
    const account = await call(service, 'GET /api/account', { token: other.authToken });
    expect(account.statusCode).toBe(200);
  });
});

describe('lastUsedOn', () => {
  test('is the day of the last call', async () => {
    const { service, token, list } = await startWithAccount();
    expect((await list())[0]?.lastUsedOn).toBe('2026-11-20');
    await service.clock.advance(DAY_MS);
    await makeLink(service, {}, { token });
    expect((await list())[0]?.lastUsedOn).toBe('2026-11-21');
  });
});

describe('a token', () => {
  const requests: [request: string, body: unknown, scopes: string[]][] = [
    ['POST /api/shorten', { originalUrl: 'https://example.com' }, ['create']],
    ['POST /api/links/batch', [{ originalUrl: 'https://example.com' }], ['create']],
    ['GET /api/links', undefined, ['read']],
    ['GET /api/links/launch', undefined, ['read']],
    ['PATCH /api/links/launch', {}, []],
    ['DELETE /api/links/launch', undefined, []],
    ['DELETE /api/links/launch?purge=true', undefined, []],
    ['POST /api/links/launch/restore', undefined, []],
    ['DELETE /api/links/launch/aliases/old', undefined, []],
    ['GET /api/account', undefined, ['create', 'read']],
    ['GET /api/account/tokens', undefined, []],
    ['POST /api/account/tokens', { name: 'x', scope: 'all' }, []],
    ['DELETE /api/account/tokens/x', undefined, []],
    ['DELETE /api/account', { confirm: 'delete' }, []],
  ];

  test.each(['create', 'read'])('with the scope "%s" allows nothing else', async (scope) => {
    const { service, create, token: first } = await startWithAccount();
    await makeLink(service, { customAlias: 'launch' }, { token: first });
    const { token } = (await create({ name: 'CI', scope })).json().data;
    for (const [request, body, scopes] of requests) {
      const response = await call(service, request, { token, body });
      if (scopes.includes(scope)) {
        expect(response.statusCode, request).toBe(200);
      } else {
        expect([response.statusCode, response.json().code], request).toEqual([
          403,
          'insufficient_scope',
        ]);
      }
    }
    const all = await call(service, 'GET /api/account', { token: first });
    expect(all.json().data.links).toBe(scope === 'create' ? 4 : 2);
  });

  test('with a scope that is not enough fails before the body is read', async () => {
    const { service, create } = await startWithAccount();
    const { token } = (await create({ name: 'CI', scope: 'read' })).json().data;
    const response = await call(service, 'POST /api/shorten', {
      token,
      body: '{',
      headers: { 'content-type': 'text/plain' },
    });
    expect(response.statusCode).toBe(403);
    expect(response.headers['ratelimit-remaining']).toEqual(expect.any(String));
  });
});
