import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../e2e/support/servers/server.ts';
import { connectTo, newDatabase } from '../support/databases.ts';
import { createLink, send, startServers } from './two-servers.ts';

const GUIDE = join(import.meta.dirname, '../../../docs/postgresql.md');

test('a server runs with the rights that docs/postgresql.md lists, once `curt migrate` has run', async () => {
  const url = new URL(await newDatabase({ migrated: false }));
  const owner = await connectTo(url.href);
  const role = `server_${url.pathname.slice(1)}`;
  await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'limited'`);
  onTestFinished(async () => {
    await owner.query(`DROP OWNED BY ${role}`);
    await owner.query(`DROP ROLE ${role}`);
  });
  const limited = new URL(url);
  limited.username = role;
  limited.password = 'limited';
  const start = startServer({ env: { STORE_URL: limited.href } });
  await expect(start).rejects.toThrow(/Run "curt migrate"/);

  // The tables of a later migration get the rights by default.
  const guide = await readFile(GUIDE, 'utf8');
  const grants = /```sql\n([\s\S]+?)```/.exec(guide)?.[1] ?? '';
  expect(grants).toContain('curt_server');
  await owner.query(grants.replaceAll('curt_server', role));
  const [ownersServer] = await startServers(1, url.href);
  const [server] = await startServers(1, limited.href, { ADMIN_TOKEN: 'a'.repeat(32) });
  if (!ownersServer || !server) throw new Error('both servers must start');
  const { alias, authToken: token } = await createLink(server, { maxVisits: 1 });
  expect((await send(server, `GET /${alias}`)).status).toBe(302);
  expect((await send(server, `GET /${alias}`)).status).toBe(410);
  const statistics = async () => {
    const response = await send(server, `GET /api/links/${alias}/stats`, { token });
    return (await response.json()).data.totals.people;
  };
  await expect.poll(statistics).toBe(1);
  const block = { kind: 'host', value: 'evil.example', reason: 'Phishing' };
  const admin = { token: 'a'.repeat(32), body: block };
  expect((await send(server, 'POST /api/admin/blocks', admin)).status).toBe(200);
  const domain = { token: 'a'.repeat(32), body: { host: 'go.example' } };
  expect((await send(server, 'POST /api/admin/domains', domain)).status).toBe(200);
  const gone = await send(server, 'DELETE /api/account', { token, body: { confirm: 'delete' } });
  expect(gone.status).toBe(200);
});
