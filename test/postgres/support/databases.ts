import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import type { AtEnd } from '../../support/new-folder.ts';

/** A database with Curt's tables and without rows. */
export const TEMPLATE = 'curt_template';

/** For connections that are being closed. */
const LEAVE_MS = 2000;
/** For statements of connections that are terminated. */
const TERMINATE_MS = 10_000;

type DatabaseOptions = {
  /** Whether it has Curt's tables. @default true */
  migrated?: boolean;
};

/** Creates a database that is dropped after the test, and returns its URL. */
export async function newDatabase({ migrated = true }: DatabaseOptions = {}): Promise<string> {
  const url = await createDatabase(migrated ? TEMPLATE : 'template1');
  onTestFinished(() => dropDatabase(new URL(url).pathname.slice(1)));
  return url;
}

async function createDatabase(template: string): Promise<string> {
  const name = `curt_${randomBytes(8).toString('hex')}`;
  // The default strategy logs every page.
  await administer((client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`),
  );
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

/** Databases of this process that no test uses. */
const free: string[] = [];

/**
 * Like `newDatabase`, but one of an earlier test, without its rows, if there is one: creating a database
 * copies a thousand files. For tests that use Curt's tables only as a store does.
 */
export async function emptyDatabase(atEnd: AtEnd = onTestFinished): Promise<string> {
  const url = free.pop() ?? (await createDatabase(TEMPLATE));
  atEnd(async () => {
    await deleteRows(url);
    free.push(url);
  });
  return url;
}

async function deleteRows(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const client = new pg.Client(url);
  await client.connect();
  try {
    await waitForClosing(client, name);
    await client.query(
      `SELECT pg_terminate_backend(pid, $2) FROM pg_stat_activity
       WHERE datname = $1 AND pid <> pg_backend_pid()`,
      [name, TERMINATE_MS],
    );
    const { rows } = await client.query<{ tables: string[] }>(
      `SELECT array_agg(tablename::text) AS tables FROM pg_tables
       WHERE schemaname = 'public' AND tablename <> 'curt_migrations'`,
    );
    await client.query((rows[0]?.tables ?? []).map((table) => `DELETE FROM ${table};`).join('\n'));
  } finally {
    await client.end();
  }
}

/** Connects to a database until the test ends, beside the stores under test. */
export async function connectTo(url: string, config: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, ...config });
  // It is closed by the server if the test stops the server or drops the database.
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Also if connections are left, such as those of killed servers. */
async function dropDatabase(name: string): Promise<void> {
  await administer(async (client) => {
    await waitForClosing(client, name);
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
}

/** A store that was closed a moment ago must not learn that its connection was terminated. */
async function waitForClosing(client: pg.Client, name: string): Promise<void> {
  const countConnections = async () => {
    const { rows } = await client.query(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
       WHERE datname = $1 AND pid <> pg_backend_pid()`,
      [name],
    );
    return rows[0]?.count;
  };
  const deadline = performance.now() + LEAVE_MS;
  while ((await countConnections()) > 0 && performance.now() < deadline) await setTimeout(5);
}

async function administer(run: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
}
