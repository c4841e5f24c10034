import pg, { DatabaseError } from 'pg';
import { StoreOpenError } from '../../store.ts';
import type { ConnectionUrl } from './connection-url.ts';
import { reasonOf } from './errors.ts';
import { numberTypes } from './number-types.ts';

const CONNECT_MS = 5000;

/**
 * Opens a connection to the host that accepts writes, for tasks that take longer than the statements of a
 * server. The caller must end it.
 *
 * @throws StoreOpenError if no host can be reached, or if the database refuses the user or cannot hold every
 * text. No message contains the password.
 */
export async function connect({ hosts }: ConnectionUrl): Promise<pg.Client> {
  const failures: string[] = [];
  for (const { name, connectionString } of hosts) {
    const client = new pg.Client({
      connectionString,
      fallback_application_name: 'curt',
      connectionTimeoutMillis: CONNECT_MS,
      types: numberTypes,
    });
    // A lost connection also fails the statement under way.
    client.on('error', () => {});
    try {
      await client.connect();
      if (await isWritable(client)) {
        await assertUnicode(client);
        return client;
      }
      failures.push(`${name} is read-only`);
    } catch (error) {
      await client.end().catch(() => {});
      if (error instanceof StoreOpenError) throw error;
      failures.push(`${name}: ${explain(error)}`);
      continue;
    }
    await client.end();
  }
  throw new StoreOpenError(
    `The database in STORE_URL cannot be used. ${failures.join('; ')}. docs/postgresql.md says how to set it up.`,
  );
}
async function isWritable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('SHOW transaction_read_only');
  return rows[0]?.transaction_read_only === 'off';
}

/** Titles and targets may have characters of any script. */
async function assertUnicode(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding === 'UTF8') return;
  throw new StoreOpenError(
    `The database in STORE_URL has the encoding ${encoding}. Create one with UTF8: createdb --encoding=UTF8 --template=template0 curt`,
  );
}

function explain(error: unknown): string {
  const reason = reasonOf(error);
  return error instanceof DatabaseError ? reason : `it cannot be reached (${reason})`;
}
