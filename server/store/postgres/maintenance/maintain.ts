import { IDEMPOTENCY_WINDOW_MS, RESTORABLE_MS } from '../../../../shared/limits.ts';
import type { OwnLink } from '../../link.ts';
import { isGone } from '../../rules/edit-link.ts';
import { purgeLink } from '../../rules/purge-link.ts';
import type { Changes } from '../changes/changes.ts';
import type { Database } from '../database/database.ts';
import { closeConnection, type Hosts } from '../database/hosts.ts';
import { tryLock } from '../database/try-lock.ts';
import { rollUpVisits } from '../statistics/roll-up.ts';
import { eraseDeleted } from './erase-deleted.ts';
import { untilDone } from './until-done.ts';

/** A retry may start before its key expires and read the link a little later. */
const KEY_GRACE_MS = 60_000;
/** Links that are purged at once. */
const PURGED_TOGETHER = 100;
/** Rows that one statement deletes. */
const DELETED_TOGETHER = 1000;

/** Blocked ones stay. */
const FIND_OUTDATED = `SELECT id AS "linkId", account_id AS "accountId" FROM visible_links
    WHERE deleted_at < $1 AND NOT EXISTS (
      SELECT FROM blocks WHERE key = 'link ' || visible_links.id
    ) ORDER BY deleted_at LIMIT ${PURGED_TOGETHER}`;
const DELETE_KEYS = `DELETE FROM idempotency_keys WHERE key_hash IN (
      SELECT key_hash FROM idempotency_keys WHERE created < $1
      ORDER BY created LIMIT ${DELETED_TOGETHER}
    ) RETURNING key_hash`;
const DELETE_COUNTERS = `DELETE FROM counters WHERE key IN (
      SELECT key FROM counters WHERE expires < $1 ORDER BY expires LIMIT ${DELETED_TOGETHER}
    ) AND expires < $1 RETURNING key`;

type Parts = {
  database: Database;
  hosts: Hosts;
  changes: Changes;
  clock: () => number;
  onError: (error: unknown) => void;
};

/**
 * Erases what was deleted long ago, and what expired, and sums old visits up. All of it in small
 * transactions, so that nothing else waits; and by one server at a time, to save work: several would do no harm.
 */
export async function maintain(
  { database, hosts, changes, clock, onError }: Parts,
  isClosed: () => boolean,
): Promise<void> {
  const now = clock();
  const deleteBefore = (statement: string, time: number) =>
    untilDone(isClosed, async () => {
      const deleted = await database.writeUnconfirmed(statement, [time]);
      return deleted.length === DELETED_TOGETHER;
    });
  const tasks = [
    () => eraseDeleted(database, isClosed),
    () => untilDone(isClosed, () => purgeSome(database, changes, now)),
    () => rollUpVisits(database, now, isClosed),
    () => deleteBefore(DELETE_KEYS, now - IDEMPOTENCY_WINDOW_MS - KEY_GRACE_MS),
    () => deleteBefore(DELETE_COUNTERS, now),
  ];
  await runAlone(hosts, async () => {
    for (const task of tasks) {
      // One that fails does not stop the others.
      if (!isClosed()) await task().catch(onError);
    }
  });
}

/**
 * Runs a task unless another server does it at the moment. The lock belongs to a connection that does
 * nothing else, so that the database releases it if this process ends.
 */
export async function runAlone(hosts: Hosts, task: () => Promise<void>): Promise<void> {
  const client = await hosts.connect({});
  try {
    if (await tryLock(client, 'maintenance')) await task();
  } finally {
    await closeConnection(client);
  }
}

/** Purges links that were deleted too long ago to be restored. @returns whether there may be more */
async function purgeSome(database: Database, changes: Changes, now: number): Promise<boolean> {
  const links = await database.read<OwnLink>(FIND_OUTDATED, [now - RESTORABLE_MS]);
  const mayPurge = (link: Parameters<typeof isGone>[0]) => isGone(link, now);
  const outcomes = await Promise.all(
    links.map((own) =>
      changes.make(purgeLink({ ...own, by: { kind: 'administrator' } }, mayPurge)),
    ),
  );
  return outcomes.filter((outcome) => outcome === 'purged').length === PURGED_TOGETHER;
}
