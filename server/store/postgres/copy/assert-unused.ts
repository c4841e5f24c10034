import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { StoreOpenError } from '../../store.ts';
import { tryLock } from '../database/try-lock.ts';

/** The longest statements of a copy take seconds. */
const LEAVE_MS = 30_000;
const POLL_MS = 50;
/** The connection of a process that was killed is idle for a moment. */
const IDLE_POLLS = 20;
/** The state of another role's connection may be hidden. */
const OTHERS = `SELECT count(*) AS others,
    count(*) FILTER (WHERE state IS NULL OR state = 'idle') AS idle
  FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'curt' AND pid <> pg_backend_pid()`;

/**
 * Lets no server start before the connection ends. Waits for statements of a process that was killed: the
 * database ends its connection only after them.
 *
 * @throws StoreOpenError if another process of Curt is connected
 */
export async function assertUnused(client: Client): Promise<void> {
  const deadline = performance.now() + LEAVE_MS;
  let idlePolls = 0;
  for (;;) {
    const { rows } = await client.query<{ others: number; idle: number }>(OTHERS);
    const { others = 0, idle = 0 } = rows[0] ?? {};
    if (others === 0 && (await tryLock(client, 'use'))) return;
    // A server always has a connection that only listens.
    if (idle > 0) idlePolls++;
    if (idlePolls === IDLE_POLLS || performance.now() > deadline) break;
    await setTimeout(POLL_MS);
  }
  throw new StoreOpenError(
    'A Curt server is using the database. Stop all servers that use it first.',
  );
}
