import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';

/** A database with Curt's tables and without rows. */
export const TEMPLATE = 'curt_template';

/** For connections that are being closed. */
const LEAVE_MS = 2000;

type DatabaseOptions = {
  /** Whether it has Curt's tables. @default true */
  migrated?: boolean;
};

/** Creates a database that is dropped after the test, and returns its URL. */
export async function newDatabase({ migrated = true }: DatabaseOptions = {}): Promise<string> {
  const name = `curt_${randomBytes(8).toString('hex')}`;
  const template = migrated ? TEMPLATE : 'template1';
  // The default strategy logs every page, which takes twice as long.
  await administer((client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`),
  );
  onTestFinished(() => dropDatabase(name));
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

/** Connects to a database until the test ends, beside the stores under test. */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  // It is closed by the server if the test stops the server or drops the database.
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Also if connections are left, such as those of killed servers. */
async function dropDatabase(name: string): Promise<void> {
  await administer(async (client) => {
    const countConnections = async () => {
      const { rows } = await client.query(
        'SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = $1',
        [name],
      );
      return rows[0]?.count;
    };
    // A store that was closed a moment ago must not learn that its connection was terminated.
    const deadline = performance.now() + LEAVE_MS;
    while ((await countConnections()) > 0 && performance.now() < deadline) await setTimeout(5);
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
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
