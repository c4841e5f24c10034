import type pg from 'pg';
import { StoreOpenError } from '../../store.ts';
import type { ConnectionUrl } from './connection-url.ts';
import { reasonOf } from './errors.ts';
import { Hosts } from './hosts.ts';

/**
 * Opens a connection to the host that accepts writes, for tasks that take longer than the statements of a
 * server. The caller must end it.
 *
 * @throws StoreOpenError if no host can be reached, or if the database refuses the user or cannot hold every
 * text. No message contains the password.
 */
export async function connect(url: ConnectionUrl): Promise<pg.Client> {
  const client = await connectToPrimary(url);
  try {
    await assertUnicode(client);
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

async function connectToPrimary(url: ConnectionUrl): Promise<pg.Client> {
  const failures: string[] = [];
  const onFailure = (host: string, error: unknown) => failures.push(`${host}: ${reasonOf(error)}`);
  try {
    return await new Hosts(url).connect({ query_timeout: 0 }, onFailure);
  } catch {
    throw new StoreOpenError(
      `The database in STORE_URL cannot be used. ${failures.join('; ')}. docs/postgresql.md says how to set it up.`,
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
