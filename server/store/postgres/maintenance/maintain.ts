import { RESTORABLE_MS } from '../../../../shared/bounds.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { OwnLink } from '../../link-calls.ts';
import { untilDone } from '../../maintenance.ts';
import { KEY_KEPT_MS } from '../../rules/add-link.ts';
import { aliasesOf } from '../../rules/aliases.ts';
import { purgeOutdated } from '../../rules/edit-link.ts';
import { certainTime, noteDay } from '../../rules/uptime.ts';
import { subjectOf } from '../../statistics/link-visits.ts';
import type { ChangeTransactions } from '../changes/change-transactions.ts';
import { CLEAR_KEYS } from '../changes/write-records.ts';
import type { Database } from '../database/database.ts';
import type { Query } from '../database/session.ts';
import type { LinkRow } from '../rows.ts';
import { eraseStatistics, rollUpVisits } from '../statistics/visit-statistics.ts';

/** Links that are purged at once. */
const PURGED_TOGETHER = 100;
/** Rows that one statement deletes. */
const DELETED_TOGETHER = 1000;

/** Blocked ones stay. */
const FIND_OUTDATED = `SELECT id AS "linkId", account_id AS "accountId" FROM visible_links
    WHERE deleted_at <= $1 AND NOT EXISTS (
      SELECT FROM blocks WHERE key = 'link ' || visible_links.id
    ) ORDER BY deleted_at LIMIT ${PURGED_TOGETHER}`;
const DELETE_KEYS = `DELETE FROM idempotency_keys WHERE key_hash IN (
      SELECT key_hash FROM idempotency_keys WHERE created < $1
      ORDER BY created LIMIT ${DELETED_TOGETHER}
    ) RETURNING key_hash`;
const DELETE_COUNTERS = `DELETE FROM counters WHERE key IN (
      SELECT key FROM counters WHERE expires < $1 ORDER BY expires LIMIT ${DELETED_TOGETHER}
    ) AND expires < $1 RETURNING key`;
/** Those of a clock that was ahead. No window is longer than a day. */
const DELETE_LATE_COUNTERS = `DELETE FROM counters WHERE expires > $1::bigint + ${2 * DAY_MS}`;

type Parts = {
  database: Database;
  changes: ChangeTransactions;
  clock: () => number;
  /** Receives the days on which a server ran. */
  onDays: (days: readonly number[]) => void;
  onError: (error: unknown) => void;
};

/**
 * Erases what was deleted long ago, and what expired, and sums old visits up. All of it in small
 * transactions, so that nothing else waits. Several servers may do it at once.
 */
export async function maintain(
  { database, changes, clock, onDays, onError }: Parts,
  isClosed: () => boolean,
): Promise<void> {
  const now = clock();
  const days = await changes.make(noteDay(now));
  onDays(days);
  const certain = (keptMs: number) => certainTime(days, now, keptMs);
  const deleteBefore = (statement: string, time: number) =>
    untilDone(isClosed, async () => {
      const deleted = await database.writeUnconfirmed(statement, [time]);
      return deleted.length === DELETED_TOGETHER;
    });
  const tasks = [
    () => eraseDeleted(database, isClosed),
    () => untilDone(isClosed, () => purgeSome(database, changes, certain(RESTORABLE_MS))),
    () => rollUpVisits(database, now, certain(RESTORABLE_MS), isClosed),
    () => deleteBefore(DELETE_KEYS, certain(KEY_KEPT_MS) - KEY_KEPT_MS),
    () => database.writeUnconfirmed(DELETE_LATE_COUNTERS, [now]),
    () => deleteBefore(DELETE_COUNTERS, now),
  ];
  for (const task of tasks) {
    // One that fails does not stop the others.
    if (!isClosed()) await task().catch(onError);
  }
}

/** Purges links that were deleted too long ago to be restored. @returns whether there may be more */
async function purgeSome(
  database: Database,
  changes: ChangeTransactions,
  now: number,
): Promise<boolean> {
  const links = await database.read<OwnLink>(FIND_OUTDATED, [now - RESTORABLE_MS]);
  const outcomes = await Promise.all(links.map((own) => changes.make(purgeOutdated(own, now))));
  return outcomes.filter((outcome) => outcome === 'purged').length === PURGED_TOGETHER;
}

/** Links or aliases that are erased in one transaction. */
const TOGETHER = 500;

const NEXT_ACCOUNT = 'SELECT account_id FROM accounts_to_erase ORDER BY account_id LIMIT 1';
/** Their hits are counted at the same time, in this order. */
const DELETE_LINKS = `WITH locked AS (
      SELECT id FROM links WHERE id IN (
        SELECT id FROM links WHERE account_id = $1 LIMIT ${TOGETHER}
      ) ORDER BY id FOR UPDATE
    ) DELETE FROM links USING locked WHERE links.id = locked.id RETURNING links.id, link`;
const RESERVE_FOR_NOBODY = `UPDATE aliases SET account_id = '', link_id = NULL WHERE key = ANY ($1)`;
const RESERVE_REST_FOR_NOBODY = `UPDATE aliases SET account_id = '' WHERE key IN (
      SELECT key FROM aliases WHERE account_id = $1 AND link_id IS NULL LIMIT ${TOGETHER}
    ) RETURNING key`;
/** Another server may be erasing the rest, which the statements above found locked and then gone. */
const DONE = `DELETE FROM accounts_to_erase WHERE account_id = $1
      AND NOT EXISTS (SELECT FROM links WHERE account_id = $1)
      AND NOT EXISTS (SELECT FROM aliases WHERE account_id = $1 AND link_id IS NULL)`;

/**
 * Erases the links of deleted accounts, a few in each transaction. Nobody sees them any more. Several servers
 * may do it at once.
 */
export async function eraseDeleted(database: Database, isClosed: () => boolean): Promise<void> {
  await untilDone(isClosed, async () => {
    const [next] = await database.read<{ account_id: string }>(NEXT_ACCOUNT);
    if (next) await database.transaction((query) => eraseSome(query, next.account_id));
    return next !== undefined;
  });
}

/** Erases a few links of an account, or its last aliases, or notes that nothing is left. */
export async function eraseSome(query: Query, accountId: string): Promise<void> {
  const links = await query<Pick<LinkRow, 'id' | 'link'>>(DELETE_LINKS, [accountId]);
  if (links.length === 0) {
    const reserved = await query(RESERVE_REST_FOR_NOBODY, [accountId]);
    if (reserved.length === 0) void query(DONE, [accountId]);
    return;
  }
  void query(RESERVE_FOR_NOBODY, [
    links.flatMap(({ link: { alias, previousAliases = [] } }) =>
      aliasesOf({ alias, previousAliases }),
    ),
  ]);
  void query(CLEAR_KEYS, [links.map(({ id }) => id)]);
  eraseStatistics(
    query,
    links.map(({ id: linkId }) => subjectOf({ linkId })),
  );
}
