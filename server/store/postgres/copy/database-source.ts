import type { Client } from 'pg';
import type { CopySource } from '../../copy-record.ts';
import { connect } from '../database/connect.ts';
import { parseConnectionUrl } from '../database/connection-url.ts';
import { assertMigrated } from '../database/migrate.ts';
import { assertUnused } from './assert-unused.ts';
import { readRecords } from './read-records.ts';

/**
 * Reads a database that no server uses, as it is at one moment.
 *
 * @param now idempotency keys that have expired by then are left out
 * @throws StoreOpenError if a server uses it, or if it has no data of this version or cannot be read
 */
export async function openDatabaseSource(url: string, now: number): Promise<CopySource> {
  const client = await connect(parseConnectionUrl(url));
  try {
    await assertMigrated(client);
    await assertUnused(client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await readDatabase(client, now, () => client.end());
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Reads the database of a connection. @param close called when it was read */
export async function readDatabase(
  client: Client,
  now: number,
  close: () => Promise<void>,
): Promise<CopySource> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT (SELECT count(*) FROM links) + (SELECT count(*) FROM accounts) AS count',
  );
  return { count: rows[0]?.count ?? 0, records: () => readRecords(client, now), close };
}
