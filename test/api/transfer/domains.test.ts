import { expect, test } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { domainOf } from '../../store/contract/domains.ts';
import { call, makeLink, startService } from '../support.ts';
import { fixture, sendImport } from './support.ts';

async function startWithDomain() {
  const service = await startService();
  const { authToken: token } = await makeLink(service, { customAlias: 'first' });
  await service.store.administration.addDomain(domainOf('go.example.org'));
  return { service, token };
}

test('Shlink’s links keep their domains, and those of other domains are on that of BASE_URL', async () => {
  const { service, token } = await startWithDomain();
  const file = (await fixture('shlink/short-urls.json')).toString();
  const domains = (JSON.parse(file).shortUrls.data as { domain: string | null }[]).map(
    ({ domain }) => domain,
  );
  expect(domains).toContain('go.example.org');
  const { data } = (await sendImport(service, 'shlink', file, { token })).json();
  expect(data.failed).toBe(0);
  expect(await service.store.findLink('go.example.org/summer-24')).toMatchObject({
    originalUrl: 'https://hotel.example/summer?year=2024',
  });
  expect(await service.store.findLink('summer-24')).toBeUndefined();
  const again = await sendImport(service, 'shlink', file, { token });
  expect(again.json().data.duplicates).toBe(data.rows);
});

test.each([
  ['json', 'curt', 'application/json'],
  ['csv', 'csv', 'text/csv'],
])('an exported %s file makes the links again on their domains', async (format, from, type) => {
  const { service, token } = await startWithDomain();
  const on = { domain: 'go.example.org' };
  await makeLink(service, { customAlias: 'sale', ...on }, { token });
  await makeLink(service, { customAlias: 'sale', title: 'Other' }, { token });
  await call(service, 'PATCH /api/links/first', { token, body: on });
  const file = (await call(service, `GET /api/links/export?format=${format}`, { token })).body;

  const target = await startWithDomain();
  await call(target.service, 'DELETE /api/links/first?purge=true', { token: target.token });
  const imported = await sendImport(target.service, from, file, { token: target.token, type });
  expect(imported.json().data).toMatchObject({ imported: 3, renamed: 0, failed: 0 });
  const { store } = target.service;
  expect(await store.findLink('sale')).toMatchObject({ title: 'Other' });
  expect(await store.findLink('go.example.org/sale')).toMatchObject({ title: '' });
  expect(await store.findLink('first')).toMatchObject({ alias: 'go.example.org/first' });
});

test.each([
  [
    'was removed',
    (host: string, { administration }: Store) => administration.removeDomain(host, 1),
  ],
  [
    'it may no longer use',
    (host: string, { administration }: Store) =>
      administration.editDomain(host, { accounts: ['nobody'] }),
  ],
])(
  'an import adds nothing for links that the account has on a domain that %s',
  async (_title, change) => {
    const { service, token } = await startWithDomain();
    await makeLink(service, { customAlias: 'sale', domain: 'go.example.org' }, { token });
    const file = (await call(service, 'GET /api/links/export', { token })).body;
    await change('go.example.org', service.store);
    const { data } = (await sendImport(service, 'curt', file, { token })).json();
    expect(data).toMatchObject({ rows: 2, duplicates: 2 });
  },
);

test('a file cannot take aliases on a domain that the account cannot use', async () => {
  const { service, token } = await startWithDomain();
  const { administration } = service.store;
  await administration.addDomain(domainOf('own.example', { accounts: ['nobody'] }));
  const rows = [
    'alias,domain,previousAliases,originalUrl',
    'one,own.example,own.example/two,https://example.com/1',
    'own.example/three,,,https://example.com/2',
  ];
  const { data } = (
    await sendImport(service, 'csv', rows.join('\n'), { token, type: 'text/csv' })
  ).json();
  expect(data.results[0]).toMatchObject({ status: 'imported', alias: 'one' });
  expect(data.results[0].message).toContain('cannot use the domain "own.example"');
  expect(data.results[1]).toMatchObject({ status: 'renamed' });
  for (const alias of ['one', 'two', 'three']) {
    expect(await service.store.findLink(`own.example/${alias}`)).toBeUndefined();
  }
});
