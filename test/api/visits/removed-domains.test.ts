import { expect, test } from 'vitest';
import { ADMIN, callAsAdmin, createAccount, dataAsAdmin } from '../admin/as-admin.ts';
import { call, makeLink, shorten, startService } from '../support.ts';
import { visit } from './visiting.ts';

const DOMAINS = '/api/admin/domains';

test('links of a removed domain answer 410 until it is added again, and those that moved are visited at both addresses', async () => {
  const service = await startService(ADMIN);
  const { token } = await createAccount(service);
  for (const host of ['go.example', 'new.example'])
    await dataAsAdmin(service, `POST ${DOMAINS}`, { host });
  await makeLink(service, { customAlias: 'sale', domain: 'go.example' }, { token });
  await makeLink(service, { customAlias: 'taken', domain: 'go.example' }, { token });
  await makeLink(service, { customAlias: 'taken', domain: 'new.example' }, { token });
  const statusOf = async (host: string, alias: string) =>
    (await visit(service, `/${alias}`, { headers: { host } })).statusCode;
  expect(await statusOf('go.example', 'sale')).toBe(302);
  expect(await statusOf('s.example', 'sale')).toBe(404);
  await callAsAdmin(service, `DELETE ${DOMAINS}/go.example?links=keep`);
  expect(await statusOf('go.example', 'sale')).toBe(410);
  expect(await statusOf('go.example', 'nobody')).toBe(404);
  const shown = async (status: string) =>
    (await call(service, `GET /api/links?status=${status}&sort=alias`, { token })).json().data;
  expect(await shown('active')).toMatchObject([{ shortUrl: 'https://new.example/taken' }]);
  expect(await shown('domain_removed')).toMatchObject([
    { alias: 'sale', status: 'domain_removed' },
    { alias: 'taken', status: 'domain_removed' },
  ]);
  const all = await dataAsAdmin(service, 'GET /api/admin/links?status=domain_removed');
  expect(all).toHaveLength(2);
  await dataAsAdmin(service, `POST ${DOMAINS}`, { host: 'go.example' });
  expect(await statusOf('go.example', 'sale')).toBe(302);
  await callAsAdmin(service, `DELETE ${DOMAINS}/go.example?links=move&to=new.example`);
  expect(await statusOf('new.example', 'sale')).toBe(302);
  expect(await statusOf('go.example', 'sale')).toBe(302);
  expect(await statusOf('go.example', 'taken')).toBe(410);
  const body = { originalUrl: 'https://example.com', domain: 'go.example' };
  const refused = await shorten(service, body, { token });
  expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid_domain']);
});
