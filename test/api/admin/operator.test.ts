import { expect, test } from 'vitest';
import { createAdminClient } from '../../../shared/client/admin-methods.ts';
import { createClient } from '../../../shared/client.ts';
import { dataOf } from '../../support/data-of.ts';
import { startService } from '../support.ts';
import { BROWSER } from '../visits/visiting.ts';
import { ADMIN_TOKEN } from './as-admin.ts';

/** What the operator of a server with ANONYMOUS=off does, with the typed clients over HTTP. */
async function startOperating() {
  const service = await startService({ env: { ADMIN_TOKEN, ANONYMOUS: 'off' } });
  const baseUrl = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const visit = async (alias: string) => {
    const headers = { 'user-agent': BROWSER };
    return (await fetch(`${baseUrl}/${alias}`, { headers, redirect: 'manual' })).status;
  };
  return {
    service,
    visit,
    client: createClient({ baseUrl }),
    admin: createAdminClient({ baseUrl, token: ADMIN_TOKEN }),
  };
}

test('an operator creates accounts, blocks an abusive host, and moves the links of who leaves', async () => {
  const { service, visit, client, admin } = await startOperating();
  const anonymous = await client.createLink({ originalUrl: 'https://example.com' });
  expect(anonymous).toMatchObject({ ok: false, code: 'token_required' });

  const ann = dataOf(await admin.createAccount({ name: 'Ann', monthlyQuota: 'unlimited' }));
  const bob = dataOf(await admin.createAccount({ name: 'Bob' }));
  const asAnn = { token: ann.token };
  dataOf(await client.createLink({ originalUrl: 'example.com', customAlias: 'good' }, asAnn));
  const evil = { originalUrl: 'https://login.evil.example/', customAlias: 'bad' };
  dataOf(await client.createLink(evil, asAnn));
  // The second visit is answered from the cache.
  expect([await visit('bad'), await visit('bad')]).toEqual([302, 302]);

  const found = dataOf(await admin.listLinks({ host: 'evil.example' })).data;
  expect(found).toMatchObject([{ alias: 'bad', accountId: ann.id, status: 'active' }]);
  dataOf(await admin.addBlock({ kind: 'host', value: 'evil.example', reason: 'Phishing' }));
  expect([await visit('bad'), await visit('good')]).toEqual([451, 302]);
  expect((await service.store.findLink('bad'))?.hits).toBe(2);
  const again = await client.createLink({ originalUrl: 'https://x.evil.example' }, asAnn);
  expect(again).toMatchObject({ ok: false, code: 'blocked_url', status: 400 });
  expect(dataOf(await admin.listBlocks())).toMatchObject([{ value: 'evil.example' }]);

  const suspended = { reason: 'Left the company' };
  const edited = dataOf(await admin.editAccount(ann.id, { suspended }));
  expect(edited).toMatchObject({ suspended, links: 2 });
  expect(await client.getAccount(ann.token)).toMatchObject({
    code: 'account_suspended',
    status: 403,
  });
  const file = JSON.parse(await dataOf(await admin.exportLinks(ann.id)).text());
  expect(file.links).toHaveLength(2);
  expect(dataOf(await admin.reassignLinks(ann.id, bob.id))).toEqual({ moved: 2, remaining: 0 });
  const { data: links } = dataOf(await client.listLinks(bob.token));
  expect(links.map(({ alias, status }) => [alias, status]).sort()).toEqual([
    ['bad', 'blocked'],
    ['good', 'active'],
  ]);
  expect(await visit('good')).toBe(302);

  dataOf(await admin.removeBlock('host', 'evil.example'));
  expect(await visit('bad')).toBe(302);
  const { token } = dataOf(await admin.createToken(bob.id, { name: 'New', scope: 'all' }));
  expect(dataOf(await client.getAccount(token))).toMatchObject({ name: 'Bob', links: 2 });
  const { data: accounts } = dataOf(await admin.listAccounts({ q: 'ann', limit: 1 }));
  expect(accounts).toMatchObject([{ id: ann.id }]);
  const actions = dataOf(await admin.listAuditEntries({ limit: 100 })).data.map(
    ({ action }) => action,
  );
  expect(actions.reverse()).toEqual([
    'account.create',
    'account.create',
    'block.add',
    'account.edit',
    'account.export',
    'account.reassign',
    'block.remove',
    'token.create',
  ]);
});
