import { describe, expect, test } from 'vitest';
import type { AdminAccount } from '../../../shared/admin/accounts.ts';
import { call, makeLink, START, shorten, startService } from '../support.ts';
import { expectHits, visit } from '../visits/visiting.ts';
import { ADMIN, block, callAsAdmin, createAccount, dataAsAdmin } from './as-admin.ts';

const CREATED = new Date(START).toISOString();
const LINK = { originalUrl: 'https://example.com/page' };

describe('POST /api/admin/accounts', () => {
  test('creates an account whose token works although ANONYMOUS is off', async () => {
    const service = await startService({ env: { ...ADMIN.env, ANONYMOUS: 'off' } });
    expect((await shorten(service, LINK)).json().code).toBe('token_required');
    const { token, ...account } = await createAccount(service, { name: ' Ann ', monthlyQuota: 2 });
    expect(account).toEqual({
      id: account.id,
      name: 'Ann',
      created: CREATED,
      links: 0,
      linksThisMonth: 0,
      monthlyQuota: 2,
      suspended: null,
      blocked: null,
    });
    expect((await shorten(service, LINK, { token })).statusCode).toBe(200);
    const own = (await call(service, 'GET /api/account', { token })).json().data;
    expect(own).toMatchObject({ name: 'Ann', links: 1, quota: { limit: 2, remaining: 1 } });
  });

  test.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'Ann', monthlyQuota: 0 }, 'monthlyQuota'],
    [{ name: 'Ann', monthlyQuota: 1.5 }, 'monthlyQuota'],
    [{ name: 'Ann', monthlyQuota: 'none' }, 'monthlyQuota'],
    [{ name: 'Ann', mail: 'ann@example.com' }, 'mail'],
  ])('answers 400 to %j', async (body, path) => {
    const response = await callAsAdmin(await startService(ADMIN), 'POST /api/admin/accounts', body);
    expect(response.statusCode).toBe(400);
    expect(response.json().issues).toMatchObject([{ path }]);
  });
});

describe('GET /api/admin/accounts', () => {
  test('lists all accounts, newest first, page by page, and finds some', async () => {
    const service = await startService(ADMIN);
    const ann = await createAccount(service, { name: 'Ann Example' });
    await createAccount(service, { name: 'Bob' });
    await makeLink(service);
    const list = async (query: string) => {
      const response = await callAsAdmin(service, `GET /api/admin/accounts${query}`);
      expect(response.statusCode).toBe(200);
      return response.json() as { data: AdminAccount[]; nextCursor: string | null };
    };
    const first = await list('?limit=2');
    expect(first.data.map(({ name, links }) => [name, links])).toEqual([
      ['', 1],
      ['Bob', 0],
    ]);
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ data: [{ name: 'Ann Example' }], nextCursor: null });
    expect((await list('?q=example')).data.map(({ id }) => id)).toEqual([ann.id]);
    expect((await list(`?q=${ann.id}`)).data.map(({ id }) => id)).toEqual([ann.id]);
    expect((await list('?q=nobody')).data).toEqual([]);
    expect(await dataAsAdmin(service, `GET /api/admin/accounts/${ann.id}`)).toEqual({
      ...ann,
      token: undefined,
    });
  });

  test('answers 400 to a cursor of no page, and 404 to an unknown account', async () => {
    const service = await startService(ADMIN);
    const response = await callAsAdmin(service, 'GET /api/admin/accounts?cursor=bm9ib2R5');
    expect([response.statusCode, response.json().issues[0].path]).toEqual([400, 'cursor']);
    const unknown = await callAsAdmin(service, 'GET /api/admin/accounts/nobody');
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'not_found']);
  });
});

describe('PATCH /api/admin/accounts/:id', () => {
  test('sets a quota of its own, exactly, and null is the default again', async () => {
    const service = await startService({ env: { ...ADMIN.env, MONTHLY_QUOTA: '1' } });
    const { id, token } = await createAccount(service);
    const edit = (body: object) => dataAsAdmin(service, `PATCH /api/admin/accounts/${id}`, body);
    const make = async () => {
      const response = await shorten(service, LINK, { token });
      return [response.statusCode, response.headers['x-quota-remaining']];
    };
    expect(await make()).toEqual([200, '0']);
    expect(await make()).toEqual([429, '0']);
    expect(await edit({ monthlyQuota: 3 })).toMatchObject({ monthlyQuota: 3, linksThisMonth: 1 });
    expect(await make()).toEqual([200, '1']);
    expect((await shorten(service, { ...LINK, password: 'x' }, { token })).statusCode).toBe(200);
    const refused = await shorten(service, { ...LINK, password: 'x' }, { token });
    expect(refused.json()).toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringContaining('quota of 3 links'),
    });
    expect(await edit({ monthlyQuota: 'unlimited' })).toMatchObject({ monthlyQuota: 'unlimited' });
    expect(await make()).toEqual([200, undefined]);
    const own = (await call(service, 'GET /api/account', { token })).json().data;
    expect(own.quota).toMatchObject({ limit: null, used: 4, remaining: null });
    expect(await edit({ monthlyQuota: null })).toMatchObject({ monthlyQuota: null });
    expect(await make()).toEqual([429, '0']);
  });

  test('keeps what is absent, and answers 404 for an unknown account', async () => {
    const service = await startService(ADMIN);
    const { token: _, ...account } = await createAccount(service, { name: 'A', monthlyQuota: 5 });
    const path = `PATCH /api/admin/accounts/${account.id}`;
    expect(await dataAsAdmin(service, path, {})).toEqual(account);
    expect(await dataAsAdmin(service, path, { name: 'B' })).toEqual({ ...account, name: 'B' });
    const unknown = await callAsAdmin(service, 'PATCH /api/admin/accounts/x', { name: 'B' });
    expect(unknown.statusCode).toBe(404);
  });

  test('suspends an account: its tokens are refused with the reason, and its links go on', async () => {
    const service = await startService(ADMIN);
    const { id, token } = await createAccount(service);
    const { alias } = await makeLink(service, {}, { token });
    const { token: further } = (
      await call(service, 'POST /api/account/tokens', { token, body: { name: 'x', scope: 'read' } })
    ).json().data;
    const path = `PATCH /api/admin/accounts/${id}`;
    const suspended = { reason: 'Left the company' };
    expect(await dataAsAdmin(service, path, { suspended })).toMatchObject({
      suspended: { ...suspended, since: CREATED },
    });
    for (const [request, body] of [
      ['POST /api/shorten', LINK],
      ['POST /api/links/batch', [LINK]],
      ['GET /api/links', undefined],
      ['GET /api/account', undefined],
      ['DELETE /api/account', { confirm: 'delete' }],
    ] as const) {
      const response = await call(service, request, { token, body });
      expect([response.statusCode, response.json().code]).toEqual([403, 'account_suspended']);
      expect(response.json().message).toContain('Left the company');
    }
    const withFurther = await call(service, 'GET /api/links', { token: further });
    expect(withFurther.json().code).toBe('account_suspended');
    expect((await visit(service, `/${alias}`)).statusCode).toBe(302);
    await expectHits(service, alias, 1);
    await dataAsAdmin(service, path, { suspended: null });
    expect((await call(service, 'GET /api/links', { token })).statusCode).toBe(200);
  });
});

test('a blocked account is refused like a suspended one', async () => {
  const service = await startService(ADMIN);
  const { id, token } = await createAccount(service);
  await block(service, 'account', id);
  const response = await shorten(service, LINK, { token });
  expect([response.statusCode, response.json().code]).toEqual([403, 'account_suspended']);
  expect(await dataAsAdmin(service, `GET /api/admin/accounts/${id}`)).toMatchObject({
    blocked: { reason: 'Phishing', since: CREATED },
    suspended: null,
  });
  await dataAsAdmin(service, `DELETE /api/admin/blocks/account/${id}`);
  expect((await shorten(service, LINK, { token })).statusCode).toBe(200);
});

test('a suspended person cannot sign in at the proxy to get another token', async () => {
  const env = { ...ADMIN.env, IDENTITY_HEADER: 'X-Forwarded-User', TRUST_PROXY: '127.0.0.1' };
  const service = await startService({ env });
  const signIn = async () => {
    const headers = {
      host: 's.example',
      'x-forwarded-user': 'ann@example.com',
      'sec-fetch-site': 'same-origin',
    };
    return call(service, 'POST /api/identity/token', { headers, body: { name: 'Laptop' } });
  };
  expect((await signIn()).statusCode).toBe(200);
  const [{ id }] = await dataAsAdmin(service, 'GET /api/admin/accounts?q=ann');
  const suspended = { reason: 'Left the company' };
  await dataAsAdmin(service, `PATCH /api/admin/accounts/${id}`, { suspended });
  const response = await signIn();
  expect([response.statusCode, response.json().code]).toEqual([403, 'account_suspended']);
  await dataAsAdmin(service, `PATCH /api/admin/accounts/${id}`, { suspended: null });
  expect((await signIn()).statusCode).toBe(200);
});
