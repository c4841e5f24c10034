import type pg from 'pg';
import { StoreOpenError } from '../../store.ts';
import { adviceFor } from './connect-advice.ts';
import type { ConnectionUrl } from './connection-url.ts';
import { reasonOf } from './errors.ts';
import { Hosts } from './hosts.ts';

/** In one, a pooler that others use as well may give what a session would have, by chance. */
const ROUNDS = 4;

/**
 * Opens a connection to the host that accepts writes, for tasks that take longer than the statements of a
 * server. The caller must end it.
 *
 * @throws StoreOpenError if no host can be reached, or if the database refuses the user, cannot hold every
 * text or is behind a pooler that cannot be used. No message contains the password.
 */
export async function connect(url: ConnectionUrl): Promise<pg.Client> {
  const client = await connectToPrimary(url, { query_timeout: 0 });
  try {
    await assertUnicode(client);
    await assertSession(client, url);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Connects as `connect` does until the callback is done. */
export async function withConnection<T>(
  url: ConnectionUrl,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

async function connectToPrimary(url: ConnectionUrl, config: pg.ClientConfig): Promise<pg.Client> {
  const failures: string[] = [];
  let advice = '';
  const onFailure = (host: string, error: unknown) => {
    failures.push(`${host}: ${reasonOf(error)}`);
    advice = adviceFor(error);
  };
  try {
    return await new Hosts(url).connect(config, onFailure);
  } catch {
    throw new StoreOpenError(
      `The database in STORE_URL cannot be used. ${failures.join('; ')}. ${advice || 'docs/postgresql.md says how to set it up.'}`,
    );
  }
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

/** Notifications and prepared statements need a connection of the database for each of ours. */
async function assertSession(client: pg.Client, url: ConnectionUrl): Promise<void> {
  const process = await readProcess(client);
  // A pooler answers for the database when a connection is opened, and makes up a number.
  if ('processID' in client && client.processID === process) return;
  const other = await connectToPrimary(url, {});
  let isShared = false;
  try {
    // Pooled by transaction, one connection has another process the next time, or two have the same one.
    for (let round = 0; round < ROUNDS; round++) {
      const processes = [await readProcess(client), await readProcess(client)];
      isShared ||= processes.some((each) => each !== process);
      isShared ||= (await readProcess(other)) === process;
    }
  } finally {
    await other.end();
  }
  if (!isShared) return;
  throw new StoreOpenError(
    'The database in STORE_URL is behind a pooler that shares its connections among transactions. Curt needs one that keeps them for a session: in PgBouncer, set "pool_mode = session" for this database. Or connect directly.',
  );
}

/** The number of the database's process that serves the connection. */
async function readProcess(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS process');
  return rows[0]?.process;
}
