import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import type { CopyRecord, CopySource } from '../../copy/copy-record.ts';
import { CopyError } from '../../copy/copy-store.ts';
import { connect } from '../database/connect.ts';
import { parseConnectionUrl } from '../database/connection-url.ts';
import { migrate } from '../database/migrate.ts';
import { readAccounts, readTokens } from './read-accounts.ts';
import { readAudit, readBlocks, readSecret } from './read-administration.ts';
import {
  CountedLinks,
  readAliases,
  readDeletedAccounts,
  readLinks,
  readQuotaUse,
  readSpentKeys,
} from './read-links.ts';
import { readStatistics } from './read-statistics.ts';

/** The longest statements of a copy take seconds. */
const LEAVE_MS = 30_000;
const POLL_MS = 50;
/** The state of another role's connection may be hidden. */
const OTHERS = `SELECT count(*) AS others,
    count(*) FILTER (WHERE state IS NULL OR state = 'idle') AS idle
  FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'curt' AND pid <> pg_backend_pid()`;

/**
 * Reads a database that no server uses, as it is at one moment.
 *
 * @param now idempotency keys that have expired by then are left out
 * @throws StoreOpenError if a server uses it, or if it cannot be read
 */
export async function openDatabaseSource(url: string, now: number): Promise<CopySource> {
  const client = await connect(parseConnectionUrl(url));
  try {
    await migrate(client);
    await assertUnused(client);
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
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows } = await client.query<{ count: number }>(
    'SELECT (SELECT count(*) FROM aliases WHERE id IS NOT NULL) + (SELECT count(*) FROM accounts) AS count',
  );
  return {
    count: rows[0]?.count ?? 0,
    records: () => readRecords(client, now),
    close: async () => {
      await client.query('ROLLBACK');
      await close();
    },
  };
}

/**
 * Waits for statements of a copy that was killed: the database ends its connection only after them.
 *
 * @throws CopyError if another process of Curt is connected
 */
export async function assertUnused(client: Client): Promise<void> {
  const deadline = performance.now() + LEAVE_MS;
  for (;;) {
    const { rows } = await client.query<{ others: number; idle: number }>(OTHERS);
    const { others = 0, idle = 0 } = rows[0] ?? {};
    if (others === 0) return;
    // A server always has a connection that only listens.
    if (idle > 0 || performance.now() > deadline) break;
    await setTimeout(POLL_MS);
  }
  throw new CopyError('A Curt server is using the database. Stop all servers that use it first.');
}

async function* readRecords(client: Client, now: number): AsyncGenerator<CopyRecord[]> {
  const counted = new CountedLinks(now);
  const deletedAccounts = await readDeletedAccounts(client);
  yield* readSecret(client);
  yield* readAccounts(client);
  yield* readTokens(client);
  yield* readLinks(client, deletedAccounts, now, counted);
  yield* readAliases(client, deletedAccounts);
  yield* readQuotaUse(client, counted);
  yield* readSpentKeys(client, deletedAccounts, now);
  yield* readStatistics(client, deletedAccounts);
  yield* readBlocks(client);
  yield* readAudit(client);
}
