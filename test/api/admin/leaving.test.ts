import { describe, expect, test } from 'vitest';
import type { Link } from '../../../server/store/link.ts';
import { call, makeLink, startService, type TestService } from '../support.ts';
import { sendImport } from '../transfer/support.ts';
import { storeVisits, visit } from '../visits/visiting.ts';
import { ADMIN, callAsAdmin, createAccount, dataAsAdmin } from './as-admin.ts';

async function startWithTwo() {
  const service = await startService({ env: { ...ADMIN.env, RATE_LIMIT_PER_MINUTE: '100000' } });
  const from = await createAccount(service, { name: 'Leaves', monthlyQuota: 'unlimited' });
  const to = await createAccount(service, { name: 'Stays' });
  const reassign = (target = to.id, source = from.id) =>
    callAsAdmin(service, `POST /api/admin/accounts/${source}/reassign`, { to: target });
  return { service, from, to, reassign };
}

async function aliasesOf(service: TestService, token: string): Promise<string[]> {
  const { data } = (await call(service, 'GET /api/links?limit=100', { token })).json();
  return data.map(({ alias }: { alias: string }) => alias).sort();
}

describe('POST /api/admin/accounts/:id/reassign', () => {
  test('moves links with aliases and statistics, also deleted ones', async () => {
    const { service, from, to, reassign } = await startWithTwo();
    const asLeaver = { token: from.token };
    for (const customAlias of ['one', 'two', 'gone']) {
      await makeLink(service, { customAlias }, asLeaver);
    }
    await makeLink(service, { customAlias: 'other' }, { token: to.token });
    await call(service, 'PATCH /api/links/one', { ...asLeaver, body: { customAlias: 'renamed' } });
    await call(service, 'DELETE /api/links/gone', asLeaver);
    await visit(service, '/one');
    const people = async () => {
      const path = 'GET /api/links/renamed/stats?unit=day';
      return (await call(service, path, { token: to.token })).json().data?.totals?.people;
    };
    expect((await reassign()).json().data).toEqual({ moved: 3, remaining: 0 });
    expect(await aliasesOf(service, from.token)).toEqual([]);
    expect(await aliasesOf(service, to.token)).toEqual(['other', 'renamed', 'two']);
    expect((await visit(service, '/one')).statusCode).toBe(302);
    await storeVisits(service);
    expect(await people()).toBe(2);
    const restored = await call(service, 'POST /api/links/gone/restore', { token: to.token });
    expect(restored.statusCode).toBe(200);
    const old = await call(service, 'GET /api/links/renamed', asLeaver);
    expect(old.statusCode).toBe(404);
    expect(await dataAsAdmin(service, `GET /api/admin/accounts/${to.id}`)).toMatchObject({
      links: 4,
      linksThisMonth: 4,
    });
  });

  test('moves 1,000 links at a time, and continues', async () => {
    const { service, from, to, reassign } = await startWithTwo();
    const urls = Array.from({ length: 1001 }, (_, index) => `https://example.com/${index}`);
    const file = ['originalUrl', ...urls].join('\n');
    await sendImport(service, 'csv', file, { token: from.token, type: 'text/csv' });
    expect((await reassign()).json().data).toEqual({ moved: 1000, remaining: 1 });
    expect((await reassign()).json().data).toEqual({ moved: 1, remaining: 0 });
    expect((await reassign()).json().data).toEqual({ moved: 0, remaining: 0 });
    const { links: total, linksThisMonth } = await dataAsAdmin(
      service,
      `GET /api/admin/accounts/${to.id}`,
    );
    // Imported links count against no quota.
    expect([total, linksThisMonth]).toEqual([1001, 0]);
  });

  test('answers 404 for unknown accounts and 400 for the same one, and moves nothing', async () => {
    const { service, from, reassign } = await startWithTwo();
    await makeLink(service, { customAlias: 'one' }, { token: from.token });
    expect((await reassign('unknown')).statusCode).toBe(404);
    expect((await reassign(from.id, 'unknown')).statusCode).toBe(404);
    const same = await reassign(from.id);
    expect([same.statusCode, same.json().issues[0].path]).toEqual([400, 'to']);
    const link = (await service.store.findLink('one')) as Link;
    expect(link.accountId).toBe(from.id);
  });
});

describe('GET /api/admin/accounts/:id/export', () => {
  test('is the file that the owner would get, and another account can import it', async () => {
    const { service, from, to } = await startWithTwo();
    await makeLink(service, { customAlias: 'one', title: 'One' }, { token: from.token });
    const path = `GET /api/admin/accounts/${from.id}/export`;
    const file = await callAsAdmin(service, path);
    const own = await call(service, 'GET /api/links/export', { token: from.token });
    expect(file.body).toBe(own.body);
    expect(file.headers['content-disposition']).toBe(own.headers['content-disposition']);
    expect((await callAsAdmin(service, `${path}?format=csv`)).body).toContain('"one"');
    const report = await sendImport(service, 'curt', file.body, { token: to.token });
    expect(report.json().data).toMatchObject({ rows: 1, renamed: 1 });
    expect((await callAsAdmin(service, 'GET /api/admin/accounts/x/export')).statusCode).toBe(404);
    expect((await callAsAdmin(service, `${path}?format=xml`)).statusCode).toBe(400);
  });
});
