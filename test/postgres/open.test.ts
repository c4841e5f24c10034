import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import { jsonOf, runCurt } from '../cli/support/curt.ts';
import { addLink, NOW, newLink } from '../store/contract.ts';
import { connectTo, newDatabase } from './support/databases.ts';

const NAMES = ['001-tables'];

test('new connections use the password that the setting has by then', async () => {
  const url = new URL(await newDatabase());
  const owner = await connectTo(url.href);
  url.username = `rotated_${url.pathname.slice(1)}`;
  url.password = 'first';
  await owner.query(`CREATE ROLE ${url.username} SUPERUSER LOGIN PASSWORD 'first'`);
  const options = { onError: () => {} };
  const store = await openPostgresStore(url.href, options, undefined, () => ({ url: url.href }));
  onTestFinished(async () => {
    await store.close();
    await owner.query(`DROP OWNED BY ${url.username}; DROP ROLE ${url.username}`);
  });
  await addLink(store, newLink('one'));
  await owner.query(`ALTER ROLE ${url.username} PASSWORD 'second'`);
  url.password = 'second';
  await owner.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [
    url.username,
  ]);
  const countLinks = () => store.countLinks('account-1', NOW);
  await expect
    .poll(() => Promise.resolve(countLinks()).catch(() => undefined))
    .toMatchObject({ total: 1 });
});

describe('curt migrate', () => {
  test('creates the tables, and says so', async () => {
    const url = await newDatabase({ migrated: false });
    const env = { STORE_URL: url };
    const first = await runCurt(['migrate'], { env });
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout).toBe(NAMES.map((name) => `Applied ${name}\n`).join(''));
    const second = await runCurt(['migrate', '--json'], { env });
    expect(jsonOf(second)).toMatchObject({ success: true, data: { applied: [] } });
    const client = await connectTo(url);
    expect((await client.query('SELECT FROM aliases')).rowCount).toBe(0);
  });

  test('says that a folder needs none', async () => {
    const outcome = await runCurt(['migrate'], { env: { STORE_URL: 'file:./data' } });
    expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/STORE_URL must name a PostgreSQL database/);
  });
});

describe('a database that cannot be used is explained without the password', () => {
  const explain = async (url: string) => {
    const outcome = await runCurt(['migrate'], { env: { STORE_URL: url } });
    expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
    expect(outcome.stderr).not.toMatch(/ {4}at /);
    for (const secret of [new URL(url).password, 'correct horse']) {
      expect(outcome.stderr).not.toContain(secret);
    }
    return outcome.stderr;
  };

  test('a wrong password', async () => {
    const url = new URL(await newDatabase());
    url.password = 'correct horse';
    expect(await explain(url.href)).toMatch(/password authentication failed for user "curt"/);
  });

  test('a database that does not exist', async () => {
    const url = new URL(await newDatabase());
    url.pathname = '/curt_missing';
    expect(await explain(url.href)).toMatch(/database "curt_missing" does not exist/);
  });

  test('a server that does not run', async () => {
    // No program of this machine listens on port 1.
    const text = await explain('postgres://curt:hunter22@127.0.0.1:1/curt');
    expect(text).toMatch(/127\.0\.0\.1:1: connect ECONNREFUSED/);
  });

  test('a database that is read-only', async () => {
    const url = await newDatabase();
    const { pathname } = new URL(url);
    const client = await connectTo(url);
    const database = pg.escapeIdentifier(pathname.slice(1));
    await client.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
    expect(await explain(url)).toMatch(/127\.0\.0\.1:\d+: it is read-only/);
  });

  test('a database without Unicode', async () => {
    const owner = await connectTo(await newDatabase());
    const name = 'curt_latin';
    await owner.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`);
    const url = new URL(await newDatabase());
    url.pathname = `/${name}`;
    expect(await explain(url.href)).toMatch(/has the encoding LATIN1\. Create one with UTF8/);
    await owner.query(`DROP DATABASE ${name}`);
  });
});

test('curt backup says that it is for folders, and names pg_dump', async () => {
  const env = { STORE_URL: 'postgres://curt:hunter22@db.example.com/curt' };
  const outcome = await runCurt(['backup', 'curt.tar.gz'], { env });
  expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
  expect(outcome.stderr).toMatch(/PostgreSQL database instead of a folder.*pg_dump/);
  expect(outcome.stderr).not.toContain('hunter22');
});

test('curt check says whether this version can use a database, without changing it', async () => {
  const check = (url: string) => runCurt(['check'], { env: { STORE_URL: url } });
  const empty = await newDatabase({ migrated: false });
  const first = await check(empty);
  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  expect(first.stdout).toMatch(
    /changes its tables when it starts \(001-tables\)\. .* back up first/,
  );
  const client = await connectTo(empty);
  expect((await client.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`)).rowCount).toBe(
    0,
  );

  const url = await newDatabase();
  expect((await check(url)).stdout).toMatch(/^The tables are those of Curt \d+\.\d+\.\d+\.\n$/);
  const owner = await connectTo(url);
  await owner.query(`INSERT INTO curt_migrations VALUES (2, '002-next', '', '1.7.0', now())`);
  const newer = await runCurt(['check', '--json'], { env: { STORE_URL: url } });
  expect([newer.exitCode, jsonOf(newer)]).toMatchObject([1, { code: 'newer_version' }]);
});
