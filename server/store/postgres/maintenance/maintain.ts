import type { LinkEraser } from '../accounts/link-eraser.ts';
import type { Changes } from '../changes/changes.ts';
import type { Database } from '../database/database.ts';
import type { Hosts } from '../database/hosts.ts';
import { rollUpVisits } from '../statistics/roll-up.ts';
import { deleteExpired } from './delete-expired.ts';
import { purgeOutdated } from './purge-outdated.ts';
import { runAlone } from './run-alone.ts';

type Parts = {
  database: Database;
  hosts: Hosts;
  eraser: LinkEraser;
  changes: Changes;
  clock: () => number;
  onError: (error: unknown) => void;
};

/**
 * Erases what was deleted long ago, and what expired, and sums old visits up. All of it in small
 * transactions, so that nothing else waits; and by one server at a time, to save work: several would do no harm.
 */
export async function maintain(
  { database, hosts, eraser, changes, clock, onError }: Parts,
  isClosed: () => boolean,
): Promise<void> {
  const now = clock();
  const tasks = [
    () => eraser.run(),
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
