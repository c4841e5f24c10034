import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { emptyDatabase } from '../../postgres/support/databases.ts';
import type { AtEnd } from '../../support/new-folder.ts';
import type { StoredData, TestData } from './test-data.ts';

/** A database with Curt's tables. */
export async function databaseData(atEnd?: AtEnd): Promise<TestData> {
  const url = await emptyDatabase(atEnd);
  const name = new URL(url).pathname.slice(1);
  const allowConnections = (allowed: boolean) =>
    withClient(inject('postgresUrl'), async (client) => {
      await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`);
    });
  let wasTakenAway = false;
  return {
    url,
    read: () => withClient(url, readTables),
    takeAway: async () => {
      wasTakenAway = true;
      onTestFinished(() => allowConnections(true));
      await allowConnections(false);
      await withClient(inject('postgresUrl'), (client) =>
        client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
          name,
        ]),
      );
    },
    bringBack: () => allowConnections(true),
    wasTakenAway: () => wasTakenAway,
  };
}

async function readTables(client: pg.Client): Promise<StoredData> {
  const select = async (statement: string) => (await client.query(statement)).rows;
  const tables = await select(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
  const texts: string[] = [];
  for (const { tablename } of tables) {
    const rows = await select(`SELECT row_to_json(rows)::text AS text FROM ${tablename} AS rows`);
    texts.push(...rows.map(({ text }) => text));
  }
  const accounts = await select(
    'SELECT account FROM accounts WHERE account IS NOT NULL ORDER BY number',
  );
  return {
    // Values that are JSON are in it as they are.
    text: texts.join('\n'),
    links: await select('SELECT id, link FROM links ORDER BY created, id'),
    accounts: accounts.map(({ account }) => account),
    idempotency: await select('SELECT * FROM idempotency_keys'),
  };
}

async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
