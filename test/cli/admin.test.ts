import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../../shared/client.ts';
import { jsonOf, startAsAdmin } from './support/curt.ts';

/** A person's browser, not a bot. */
const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };

test('an administrator gives a colleague an account, and takes it back when she leaves', async () => {
  const { curt, admin, data, home, server, clock } = await startAsAdmin({
    ANONYMOUS: 'off',
    REPORTS: 'on',
  });
  expect(jsonOf(await curt(['account', 'list', '--json']))).toMatchObject({
    code: 'token_required',
  });
  const wrong = await curt(['account', 'list', '--json'], { env: { ADMIN_TOKEN: 'x'.repeat(32) } });
  expect(wrong.exitCode).toBe(4);

  const ada = await data('account', 'create', 'Ada', '--quota', '5');
  expect(ada).toMatchObject({ name: 'Ada', monthlyQuota: 5, token: expect.any(String) });
  clock.advance(1000);
  const created = await admin('account', 'create', 'Grace');
  expect(created.stdout).toMatch(/^curt_\S+\n$/);
  expect(created.stderr).toContain('Pass its token on: it is shown only now.');
  const [grace] = await data('account', 'list', '--search', 'grace');

  const client = createClient({ baseUrl: server });
  for (const alias of ['one', 'two']) {
    const link = await client.createLink({
      body: { originalUrl: `https://example.com/${alias}`, customAlias: alias },
      token: ada.token,
    });
    expect(link.ok).toBe(true);
  }
  const second = await data('account', 'token', ada.id, '--name', 'laptop', '--scope', 'read');
  expect(await client.listLinks({ token: second.token })).toMatchObject({ ok: true });
  expect((await admin('account', 'tokens', ada.id)).stdout).toMatch(
    new RegExp(`^ID .*NAME\\n${ada.id} +all +.*\\n${second.id} +read +.* laptop\\n$`),
  );
  expect((await admin('account', 'revoke', ada.id, second.id)).stdout).toBe(
    `Revoked the token ${second.id}.\n`,
  );
  expect(await client.listLinks({ token: second.token })).toMatchObject({ code: 'invalid_token' });
  expect(await data('account', 'tokens', ada.id)).toMatchObject([{ id: ada.id, scope: 'all' }]);
  expect((await admin('account', 'quota', ada.id, 'unlimited')).stdout).toBe(
    `The monthly quota of ${ada.id} is unlimited.\n`,
  );
  expect((await data('account', 'rename', ada.id, 'Ada King')).name).toBe('Ada King');
  expect((await admin('account', 'list')).stdout).toMatch(
    new RegExp(`^ID .*\\n${grace.id} +0 +default +active +Grace\\n${ada.id} +2 +unlimited +active`),
  );

  await data('account', 'suspend', ada.id, '--reason', 'Left the company');
  expect(await client.listLinks({ token: ada.token })).toMatchObject({ ok: false });
  expect((await data('account', 'resume', ada.id)).suspended).toBeNull();
  expect(await client.listLinks({ token: ada.token })).toMatchObject({ ok: true });
  expect((await admin('account', 'export', ada.id, 'ada.json')).stdout).toBe('Wrote ada.json.\n');
  expect(JSON.parse(await readFile(join(home, 'ada.json'), 'utf8')).links).toHaveLength(2);
  expect(await data('account', 'reassign', ada.id, grace.id)).toEqual({ moved: 2 });
  expect((await data('find', '--account', grace.id)).length).toBe(2);

  const audit = await data('audit', '--all', '--limit', '2');
  expect(audit.map(({ action }: { action: string }) => action)).toContain('account.reassign');
  expect((await admin('audit')).stdout).toMatch(/^TIME +ACTION +TARGET/);
});

test('an administrator lists the links that visitors reported, and dismisses the reports', async () => {
  const { admin, data, server } = await startAsAdmin({ ANONYMOUS: 'off', REPORTS: 'on' });
  const { token } = await data('account', 'create', 'Ada');
  const link = { originalUrl: 'https://example.com/page', customAlias: 'launch' };
  await createClient({ baseUrl: server }).createLink({ body: link, token });
  const body = new URLSearchParams({ reason: 'Phishing' });
  const { status } = await fetch(`${server}/launch/report`, { method: 'POST', body });
  expect(status).toBe(200);
  expect((await admin('reports')).stdout).toMatch(
    /^SHORT URL +COUNT +LAST +REASON +DESTINATION\nhttps:\/\/s\.example\/launch +1 +2026-11-20 +Phishing +https:\/\/example\.com\/page\n$/,
  );
  expect((await admin('dismiss', `${server}/launch`)).stdout).toBe(
    'Dismissed the reports of launch.\n',
  );
  expect(await data('reports')).toEqual([]);
  expect(await admin('dismiss', 'launch')).toMatchObject({ exitCode: 1 });
});

test('an administrator finds links by their host, and blocks it', async () => {
  const { admin, data, server, curt } = await startAsAdmin({ ANONYMOUS: 'off', REPORTS: 'on' });
  const { token } = await data('account', 'create', 'Mallory');
  const env = { CURT_TOKEN: token };
  expect(
    (await curt(['shorten', 'https://www.bad.example/x', '--alias', 'bad'], { env })).exitCode,
  ).toBe(0);
  expect(await data('find', '--host', 'bad.example')).toMatchObject([{ alias: 'bad' }]);
  const visit = async () => (await fetch(`${server}/bad`, { headers, redirect: 'manual' })).status;
  expect(await visit()).toBe(302);

  const blocked = await admin('block', 'host', 'bad.example', '--reason', 'Malware');
  expect(blocked).toMatchObject({ exitCode: 0, stdout: 'Blocked the host bad.example.\n' });
  expect(await visit()).toBe(451);
  const again = await curt(['shorten', 'bad.example', '--json'], { env });
  expect(jsonOf(again)).toMatchObject({ success: false, code: 'blocked_url' });
  expect(await data('blocks')).toMatchObject([
    { kind: 'host', value: 'bad.example', reason: 'Malware' },
  ]);
  expect((await admin('unblock', 'host', 'bad.example')).exitCode).toBe(0);
  expect(await visit()).toBe(302);

  await data('block', 'link', 'https://s.example/bad', '--reason', 'Phishing');
  expect(await visit()).toBe(451);
  await data('unblock', 'link', 'bad');
  expect((await curt(['delete', 'bad'], { env })).exitCode).toBe(0);
  await data('block', 'link', 'https://s.example/bad', '--reason', 'Phishing');
  await data('unblock', 'link', 'https://s.example/bad');
  expect(jsonOf(await admin('unblock', 'link', 'bad', '--json'))).toMatchObject({
    success: false,
  });
  const kind = await admin('block', 'person', 'x', '--reason', 'y');
  expect(kind).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Allowed choices') });
});
