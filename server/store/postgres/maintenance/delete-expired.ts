import { IDEMPOTENCY_WINDOW_MS } from '../../../../shared/limits.ts';
import type { Database } from '../database/database.ts';
import { untilDone } from './until-done.ts';

/** A retry may start before its key expires and read the link a little later. */
const GRACE_MS = 60_000;
/** Rows that one statement deletes. */
const TOGETHER = 1000;

const DELETE_KEYS = `DELETE FROM idempotency_keys WHERE key_hash IN (
      SELECT key_hash FROM idempotency_keys WHERE created < $1 ORDER BY created LIMIT ${TOGETHER}
    ) RETURNING key_hash`;
const DELETE_COUNTERS = `DELETE FROM counters WHERE key IN (
      SELECT key FROM counters WHERE expires < $1 ORDER BY expires LIMIT ${TOGETHER}
    ) AND expires < $1 RETURNING key`;

/**
 * Deletes idempotency keys and counters that have expired.
 *
 * @param now milliseconds since the epoch
 */
export async function deleteExpired(
  database: Database,
  now: number,
  isClosed: () => boolean,
): Promise<void> {
  const deleteBefore = (statement: string, time: number) =>
    untilDone(isClosed, async () => (await database.write(statement, [time])).length === TOGETHER);
  await deleteBefore(DELETE_KEYS, now - IDEMPOTENCY_WINDOW_MS - GRACE_MS);
  await deleteBefore(DELETE_COUNTERS, now);
}
