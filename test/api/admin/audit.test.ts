import { expect, test } from 'vitest';
import { makeLink, START, startService } from '../support.ts';
import { ADMIN, ADMIN_TOKEN, block, callAsAdmin, createAccount, dataAsAdmin } from './as-admin.ts';

const TIME = new Date(START).toISOString();

test('every change and export is in the audit log, newest first, without tokens', async () => {
  const service = await startService(ADMIN);
  const { id, token } = await createAccount(service, { name: 'Ann', monthlyQuota: 5 });
  const other = await createAccount(service, { name: 'Bob' });
  await makeLink(service, { customAlias: 'Launch' }, { token });
  const link = await service.store.findLink('launch');
  const account = `/api/admin/accounts/${id}`;
  await dataAsAdmin(service, `PATCH ${account}`, { suspended: { reason: 'Left' } });
  const created = { name: 'Laptop', scope: 'all' };
  const { token: second } = await dataAsAdmin(service, `POST ${account}/tokens`, created);
  await callAsAdmin(service, `GET ${account}/export`);
  await dataAsAdmin(service, `POST ${account}/reassign`, { to: other.id });
  await block(service, 'link', 'launch');
  await block(service, 'host', 'EVIL.example');
  await dataAsAdmin(service, 'DELETE /api/admin/blocks/host/evil.example');
  // Neither reads nor what was refused.
  await callAsAdmin(service, 'GET /api/admin/links');
  await callAsAdmin(service, 'POST /api/admin/blocks', { kind: 'host', value: 'a b', reason: 'x' });
  await callAsAdmin(service, 'PATCH /api/admin/accounts/unknown', { name: 'x' });

  const { data, nextCursor, damagedLines } = (
    await callAsAdmin(service, 'GET /api/admin/audit')
  ).json();
  expect([nextCursor, damagedLines]).toEqual([null, 0]);
  const entry = (action: string, target: string, details: object) => {
    return { time: TIME, action, target, details };
  };
  expect(data).toEqual([
    entry('block.remove', 'host evil.example', {}),
    entry('block.add', 'host evil.example', { reason: 'Phishing' }),
    entry('block.add', `link Launch (${link?.id})`, { reason: 'Phishing' }),
    entry('account.reassign', id, { to: other.id }),
    entry('account.export', id, { format: 'json', secrets: false }),
    entry('token.create', id, created),
    entry('account.edit', id, { suspended: { reason: 'Left' } }),
    entry('account.create', other.id, { name: 'Bob', monthlyQuota: null }),
    entry('account.create', id, { name: 'Ann', monthlyQuota: 5 }),
  ]);
  const { text } = await service.data.read();
  expect(text).toContain('account.reassign');
  for (const secret of [token, second, ADMIN_TOKEN, 'curt_']) expect(text).not.toContain(secret);

  const page = (await callAsAdmin(service, 'GET /api/admin/audit?limit=8')).json();
  const rest = `GET /api/admin/audit?cursor=${page.nextCursor}`;
  expect((await callAsAdmin(service, rest)).json()).toMatchObject({
    data: [{ action: 'account.create', target: id }],
    nextCursor: null,
  });
  for (const cursor of ['bm9ib2R5', 'x']) {
    const invalid = await callAsAdmin(service, `GET /api/admin/audit?cursor=${cursor}`);
    expect([invalid.statusCode, invalid.json().issues[0].path]).toEqual([400, 'cursor']);
  }
});

test('an action that fails has a second entry that says so', async () => {
  const service = await startService(ADMIN);
  const { id } = await createAccount(service);
  const token = { name: 'x', scope: 'read' };
  const statuses: number[] = [];
  for (let time = 0; time < 50; time++) {
    const path = `POST /api/admin/accounts/${id}/tokens`;
    statuses.push((await callAsAdmin(service, path, token)).statusCode);
  }
  expect(statuses.at(-1)).toBe(409);
  const { data } = (await callAsAdmin(service, 'GET /api/admin/audit?limit=2')).json();
  expect(data).toMatchObject([
    { action: 'token.create', target: id, failed: 'too_many_tokens' },
    { action: 'token.create', target: id },
  ]);
});
