import type { LinkEraser } from '../accounts/link-eraser.ts';
import type { Database } from '../database/database.ts';
import type { Hosts } from '../database/hosts.ts';
import type { LinkPurger } from '../links/link-purger.ts';
import { rollUpVisits } from '../statistics/roll-up.ts';
import { deleteExpired } from './delete-expired.ts';
import { runAlone } from './run-alone.ts';

type Parts = {
  database: Database;
  hosts: Hosts;
  eraser: LinkEraser;
  purger: LinkPurger;
  clock: () => number;
  onError: (error: unknown) => void;
};

/**
 * Erases what was deleted long ago, and what expired, and sums old visits up. All of it in small
 * transactions, so that nothing else waits; and by one server at a time, to save work: several would do no harm.
 */
export async function maintain(
  { database, hosts, eraser, purger, clock, onError }: Parts,
  isClosed: () => boolean,
): Promise<void> {
  const now = clock();
  const tasks = [
    () => eraser.run(),
    () => purger.purgeOutdated(now, isClosed),
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
