import pg, { DatabaseError } from 'pg';
import { StoreOpenError } from '../../store.ts';
import type { ConnectionUrl } from './connection-url.ts';
import { migrate } from './migrate.ts';

const CONNECT_MS = 5000;

/**
 * Connects to the host that accepts writes, and brings its tables to the version of this program.
 *
 * @returns the names of the migrations that were applied
 * @throws StoreOpenError if no host can be reached, if the database refuses the user or cannot hold
 * every text, and as `migrate` does. No message contains the password.
 */
export async function migrateDatabase({ hosts }: ConnectionUrl): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, connectionString } of hosts) {
    const client = new pg.Client({
      connectionString,
      fallback_application_name: 'curt',
      connectionTimeoutMillis: CONNECT_MS,
    });
    // A lost connection also fails the statement under way.
    client.on('error', () => {});
    try {
      await client.connect();
      if (await isWritable(client)) {
        await assertUnicode(client);
        return await migrate(client);
      }
      failures.push(`${name} is read-only`);
    } catch (error) {
      if (error instanceof StoreOpenError) throw error;
      failures.push(`${name}: ${explain(error)}`);
    } finally {
      await client.end().catch(() => {});
    }
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

/** Such as `connect ECONNREFUSED 127.0.0.1:5432`, or what the database answers. */
function explain(error: unknown): string {
  // For a name with several addresses.
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return cause instanceof DatabaseError ? text : `it cannot be reached (${text})`;
}
