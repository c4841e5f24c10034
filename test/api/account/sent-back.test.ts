import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../server/lib/time.ts';
import type { AtEnd } from '../../support/new-folder.ts';
import { ADMIN, callAsAdmin, createAccount, dataAsAdmin } from '../admin/as-admin.ts';
import { call, makeLink, startOnce, startService, type TestService } from '../support.ts';

type Fields = Record<string, unknown>;

/** The administrator's account of somebody with a link, a domain, and that person's own account. */
async function startWithRecords(atEnd?: AtEnd) {
  const service = await startService(ADMIN, atEnd);
  const { token, ...account } = await createAccount(service, { name: 'Ann', monthlyQuota: 5 });
  const body = { host: 'go.example', brand: { name: 'Go' }, rootUrl: 'https://example.com/' };
  const domain = await dataAsAdmin(service, 'POST /api/admin/domains', body);
  const own = (await call(service, 'GET /api/account', { token })).json().data;
  await makeLink(service, {}, { token });
  const edits = {
    account: {
      record: account,
      send: (fields: Fields) =>
        callAsAdmin(service, `PATCH /api/admin/accounts/${account.id}`, fields),
    },
    domain: {
      record: domain,
      send: (fields: Fields) => callAsAdmin(service, 'PATCH /api/admin/domains/go.example', fields),
    },
    own: {
      record: own,
      send: (fields: Fields) => call(service, 'PATCH /api/account', { token, body: fields }),
    },
  };
  return { service, token, account, edits };
}

const details = async (service: TestService) =>
  (await callAsAdmin(service, 'GET /api/admin/audit')).json().data[0].details;

describe('the record of an account or a domain', () => {
  const shared = startOnce(startWithRecords);

  test.each([
    ['account', { name: 'Bob' }],
    ['domain', { goneUrl: 'https://example.com/gone' }],
    ['own', { domain: 'go.example' }],
  ] as const)('can be sent back with a change: %s', async (name, change) => {
    const { service, edits } = await startWithRecords();
    await service.clock.advance(DAY_MS);
    const { record, send } = edits[name];
    const edited = await send({ ...record, ...change });
    expect(edited.statusCode, edited.body).toBe(200);
    const { data } = edited.json();
    expect(data).toMatchObject(change);
    expect((await send(data)).statusCode).toBe(200);
  });

  test.each([
    ['account', { id: 'other' }, 'id'],
    ['account', { created: '2026-01-01T00:00:00.000Z' }, 'created'],
    ['account', { links: null }, 'links'],
    ['account', { blocked: { reason: 'Phishing', since: '2026-01-01T00:00:00.000Z' } }, 'blocked'],
    [
      'account',
      { suspended: { reason: 'Left', since: '2026-01-01T00:00:00.000Z' } },
      'suspended.since',
    ],
    ['domain', { host: 'other.example' }, 'host'],
    ['domain', { isDefault: true }, 'isDefault'],
    ['domain', { removed: '2026-01-01T00:00:00.000Z' }, 'removed'],
    ['own', { name: 'Bob' }, 'name'],
    [
      'own',
      { quota: { limit: 6, used: 0, remaining: 6, resetsAt: '2026-12-01T00:00:00.000Z' } },
      'quota',
    ],
    ['own', { tokens: [] }, 'tokens'],
  ] as const)('says of %s with %j what is read-only', async (name, fields, path) => {
    const { edits } = shared();
    const rejected = await edits[name].send(fields);
    expect([rejected.statusCode, rejected.json().code]).toEqual([400, 'invalid_request']);
    const message = expect.stringContaining('read-only');
    expect(rejected.json().issues).toEqual([{ path, message }]);
  });

  test('that is unknown gets no other answer', async () => {
    const { service, edits } = await startWithRecords();
    const { record } = edits.account;
    const edited = await callAsAdmin(service, 'PATCH /api/admin/accounts/nobody', record);
    expect(edited.json().code).toBe('not_found');
    const misspelt = await edits.account.send({ nmae: 'Bob' });
    expect(misspelt.json().issues).toMatchObject([{ path: 'nmae' }]);
  });
});

test('an account without a name can be sent back, and a name can be removed', async () => {
  const { service, edits } = await startWithRecords();
  await makeLink(service);
  const [anonymous] = (await callAsAdmin(service, 'GET /api/admin/accounts')).json().data;
  expect(anonymous.name).toBe('');
  const path = `PATCH /api/admin/accounts/${anonymous.id}`;
  expect(await dataAsAdmin(service, path, anonymous)).toEqual(anonymous);
  expect((await edits.account.send({ name: '' })).json().data.name).toBe('');
});

test('a suspension that is sent back keeps its time, also with another reason', async () => {
  const { service, edits } = await startWithRecords();
  const { send } = edits.account;
  const { data } = (await send({ suspended: { reason: 'Left' } })).json();
  await service.clock.advance(DAY_MS);
  expect((await send(data)).json().data).toEqual(data);
  const suspended = { ...data.suspended, reason: 'Away' };
  expect((await send({ suspended })).json().data.suspended).toEqual(suspended);
  // What is read-only was not edited.
  expect(await details(service)).toEqual({ suspended: { reason: 'Away' } });
});
