import { expect, test } from 'vitest';
import { domainOf } from '../../store/contract/domains.ts';
import { ADMIN, createAccount } from '../admin/as-admin.ts';
import { call, startService } from '../support.ts';

test('an account chooses the domain of links that name none, as long as it may use it', async () => {
  const service = await startService(ADMIN);
  const { id, token } = await createAccount(service);
  const { administration } = service.store;
  for (const host of ['a.example', 'b.example']) await administration.addDomain(domainOf(host));
  await administration.addDomain(domainOf('own.example', { accounts: [id] }));
  await administration.addDomain(domainOf('other.example', { accounts: ['other'] }));
  const choose = (domain: string | null) =>
    call(service, 'PATCH /api/account', { token, body: { domain } });
  const chosen = async () =>
    (await call(service, 'GET /api/account', { token })).json().data.domain;
  const listed = async () =>
    (await call(service, 'GET /api/domains', { token }))
      .json()
      .data.map(({ host, isDefault }: { host: string; isDefault: boolean }) =>
        isDefault ? `${host}*` : host,
      );

  expect(await listed()).toEqual(['s.example*', 'a.example', 'b.example', 'own.example']);
  expect((await choose('OWN.example')).json().data.domain).toBe('own.example');
  expect(await chosen()).toBe('own.example');
  expect(await listed()).toEqual(['own.example*', 's.example', 'a.example', 'b.example']);
  for (const host of ['other.example', 'unknown.example', '']) {
    const response = await choose(host);
    expect([response.statusCode, response.json().code], host).toEqual([400, 'invalid_domain']);
  }
  expect((await call(service, 'PATCH /api/account', { token, body: {} })).statusCode).toBe(200);
  expect(await chosen()).toBe('own.example');

  await administration.editDomain('own.example', { accounts: [] });
  expect([await chosen(), await listed()]).toEqual([
    's.example',
    ['s.example*', 'a.example', 'b.example'],
  ]);
  await administration.editDomain('own.example', { accounts: 'all' });
  expect(await chosen()).toBe('own.example');
  await administration.removeDomain('own.example', 1);
  expect(await chosen()).toBe('s.example');
  await choose('a.example');
  expect((await choose(null)).json().data.domain).toBe('s.example');
});
