import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../server/store/postgres/database/connect.ts';
import { parseConnectionUrl } from '../../server/store/postgres/database/connection-url.ts';
import {
  assertMigrated,
  MIGRATIONS,
  migrate,
  missingMigrations,
} from '../../server/store/postgres/database/migrate.ts';
import { StoreOpenError } from '../../server/store/store.ts';
import { connectTo, newDatabase } from './support/databases.ts';

const NAMES = ['001-tables'];

describe('migrations', () => {
  test('are numbered from 1 without gaps', () => {
    const files = readdirSync(join(import.meta.dirname, '../../server/store/postgres/migrations'));
    expect(files.map((file) => Number(/^(\d{3})-[a-z-]+\.sql$/.exec(file)?.[1])).sort()).toEqual(
      files.map((_, index) => index + 1),
    );
    expect(files).toHaveLength(NAMES.length);
  });

  test('create the tables of an empty database once', async () => {
    const client = await connectTo(await newDatabase({ migrated: false }));
    expect(await migrate(client)).toEqual(NAMES);
    expect(await migrate(client)).toEqual([]);
    const { rows } = await client.query('SELECT name FROM curt_migrations ORDER BY number');
    expect(rows.map(({ name }) => name)).toEqual(NAMES);
  });

  test('are applied once by ten servers that start at the same time', async () => {
    const url = await newDatabase({ migrated: false });
    const clients = await Promise.all(Array.from({ length: 10 }, () => connectTo(url)));
    const applied = await Promise.all(clients.map((client) => migrate(client)));
    expect(applied.flat().sort()).toEqual(NAMES);
  });

  test('wait for another server even if the role has time limits', async () => {
    const url = await newDatabase({ migrated: false });
    const limited = `${url}?options=-c%20statement_timeout%3D100%20-c%20lock_timeout%3D100`;
    const [holder, watcher, client] = await Promise.all([
      connectTo(url),
      connectTo(url),
      connect(parseConnectionUrl(limited)),
    ]);
    onTestFinished(() => client.end());
    await holder.query('SELECT pg_advisory_lock(1668641396)');
    const migrating = migrate(client);
    const waitedMs = async () => {
      const { rows } = await watcher.query(
        `SELECT extract(epoch FROM clock_timestamp() - query_start) * 1000 AS ms
         FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()`,
      );
      return Number(rows[0]?.ms ?? 0);
    };
    await expect.poll(waitedMs).toBeGreaterThan(200);
    await holder.query('SELECT pg_advisory_unlock(1668641396)');
    expect(await migrating).toEqual(NAMES);
  });

  test('that a newer version of Curt applied make opening fail', async () => {
    const client = await connectTo(await newDatabase());
    await client.query(`INSERT INTO curt_migrations VALUES (999, '999-later', '', '1.7.0', now())`);
    for (const open of [migrate, missingMigrations]) {
      const error = await failureOf(open(client));
      expect(error).toMatchObject({ reason: 'newer' });
      expect(error.message).toMatch(/^Curt 1\.7\.0 .* migration 999, .* Nothing was changed\./);
    }
  });

  test.each([
    `UPDATE curt_migrations SET fingerprint = 'other'`,
    'ALTER TABLE curt_migrations DROP COLUMN fingerprint',
  ])('that are not those of this version make opening fail: %s', async (change) => {
    const client = await connectTo(await newDatabase());
    await client.query(change);
    const error = await failureOf(migrate(client));
    expect(error).toBeInstanceOf(StoreOpenError);
    expect(error.message).toMatch(
      /other tables than those of Curt \S+: "001-tables".*Nothing was changed.*curt export.*empty/,
    );
  });

  test('are applied as a whole or not at all, at whichever statement they are interrupted', async () => {
    const statements = statementsOf(MIGRATIONS[0]?.sql ?? '');
    expect(statements.length).toBeGreaterThan(30);
    const url = await newDatabase({ migrated: false });
    const watcher = await connectTo(url);
    const tables = `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`;
    for (let count = 0; count <= statements.length; count++) {
      const client = await connectTo(url);
      const cut = [...statements.slice(0, count), 'SELECT pg_terminate_backend(pg_backend_pid());'];
      await failureOf(migrate(client, [{ name: '001-tables', sql: cut.join('') }]));
      expect((await watcher.query(tables)).rowCount).toBe(0);
    }
    expect(await migrate(watcher)).toEqual(NAMES);
    for (const sql of statementsOf(NEXT.sql)) {
      const cut = `${sql}SELECT pg_terminate_backend(pg_backend_pid());`;
      const client = await connectTo(url);
      await failureOf(migrate(client, [...MIGRATIONS, { ...NEXT, sql: cut }]));
      expect(await missingMigrations(watcher)).toEqual([]);
    }
    const next = [...MIGRATIONS, NEXT];
    expect(await missingMigrations(watcher, next)).toEqual([NEXT.name]);
    expect(await migrate(watcher, next)).toEqual([NEXT.name]);
    expect(await missingMigrations(watcher, next)).toEqual([]);
  });

  test('need no right to create tables on a database that is up to date', async () => {
    const url = await newDatabase();
    const owner = await connectTo(url);
    const client = await connectAsLimitedRole(owner, url);
    await owner.query('GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC');
    expect(await migrate(client)).toEqual([]);
  });

  test.each([true, false])(
    'by a role without rights fail and name `curt migrate`, if the tables exist: %s',
    async (migrated) => {
      const url = await newDatabase({ migrated });
      const client = await connectAsLimitedRole(await connectTo(url), url);
      const error = await failureOf(migrate(client));
      expect(error).toBeInstanceOf(StoreOpenError);
      expect(error.message).toMatch(/permission denied .* Run "curt migrate" /);
    },
  );

  test.each([
    ['before there was data', 'DELETE FROM curt_migrations'],
    ['in the midst of the tables', 'DROP TABLE curt_migrations, links CASCADE'],
    ['before there were indexes', 'DROP TRIGGER count_edited_tags ON links'],
  ])(
    'of a backup that was restored %s are not taken for those of another program',
    async (_, sql) => {
      const client = await connectTo(await newDatabase());
      await client.query(sql);
      const error = await failureOf(migrate(client));
      expect(error).toBeInstanceOf(StoreOpenError);
      expect(error.message).toMatch(/a backup was not restored to its end/);
    },
  );

  test.each([
    [
      'the URL',
      async (_: pg.Client, url: URL) => url.searchParams.set('options', '-csearch_path=none'),
    ],
    [
      'a role',
      (owner: pg.Client, url: URL) =>
        owner.query(
          `ALTER ROLE ${url.username} IN DATABASE ${url.pathname.slice(1)} SET search_path = none`,
        ),
    ],
    [
      'a database',
      (owner: pg.Client, url: URL) =>
        owner.query(`ALTER DATABASE ${url.pathname.slice(1)} SET search_path = none`),
    ],
    ['nothing, where public was dropped', (owner: pg.Client) => owner.query('DROP SCHEMA public')],
  ])(
    'in a schema that cannot be used, which %s names, make opening fail with a sentence',
    async (_, change) => {
      const url = new URL(await newDatabase({ migrated: false }));
      await change(await connectTo(url.href), url);
      const client = await connectTo(url.href);
      for (const open of [migrate, assertMigrated]) {
        const error = await failureOf(open(client));
        expect(error).toBeInstanceOf(StoreOpenError);
        expect(error.message).toMatch(/can use no schema .* CREATE SCHEMA/);
      }
    },
  );

  test('leave a database with tables of another program alone', async () => {
    const client = await connectTo(await newDatabase({ migrated: false }));
    await client.query('CREATE TABLE accounts (id text)');
    const error = await failureOf(migrate(client));
    expect(error).toBeInstanceOf(StoreOpenError);
    expect(error.message).toMatch(/tables of another program .*"accounts" already exists/);
    const { rows } = await client.query(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(rows).toEqual([{ tablename: 'accounts' }]);
  });
});

/** One of a later version, as far as the promise for 1.x allows it: servers of the version before go on. */
const NEXT = {
  name: '002-next',
  sql: `ALTER TABLE links ADD COLUMN shade text;
    UPDATE links SET shade = 'L';`,
};

/** The statements of a file, of which a function has several within `$$`. */
function statementsOf(sql: string): string[] {
  return sql.replace(/--.*/g, '').match(/(?:[^;$]|\$\$.*?\$\$)+;/gs) ?? [];
}

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => {
      throw new Error('it must fail');
    },
    (error) => error,
  );
}

/** Connects as a role that may neither create tables nor read them. */
async function connectAsLimitedRole(owner: pg.Client, url: string): Promise<pg.Client> {
  const role = `limited_${new URL(url).pathname.slice(1)}`;
  await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'limited'`);
  const limited = new URL(url);
  limited.username = role;
  limited.password = 'limited';
  const client = new pg.Client(limited.href);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await owner.query(`DROP OWNED BY ${role}`);
    await owner.query(`DROP ROLE ${role}`);
  });
  return client;
}
