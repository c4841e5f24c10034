import type { Changes } from '../changes/changes.ts';
import type { Database } from '../database/database.ts';
import type { Hosts } from '../database/hosts.ts';
import { rollUpVisits } from '../statistics/roll-up.ts';
import { deleteExpired } from './delete-expired.ts';
import { eraseDeleted } from './erase-deleted.ts';
import { purgeOutdated } from './purge-outdated.ts';
import { runAlone } from './run-alone.ts';

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
  const tasks = [
    () => eraseDeleted(database, isClosed),
    () => purgeOutdated(database, changes, now, isClosed),
    () => rollUpVisits(database, now, isClosed),
    () => deleteExpired(database, now, isClosed),
  ];
  await runAlone(hosts, async () => {
    for (const task of tasks) {
      // One that fails does not stop the others.
      if (!isClosed()) await task().catch(onError);
    }
  });
}
