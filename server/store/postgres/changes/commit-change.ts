import type { Database } from '../database/database.ts';
import type { Query } from '../database/statement.ts';
import type { AccountQueue } from './account-queue.ts';
import type { ChangeFeed } from './change-feed.ts';
import { announce, type Change } from './change-notice.ts';

/** What changes need. */
export type ChangeContext = { database: Database; queue: AccountQueue; feed: ChangeFeed };

/** Tells all servers of a change when the transaction is committed. At most once in a transaction. */
export type Tell = (change: Change) => Promise<void>;

/**
 * Changes accounts, or what belongs to them, in one transaction. It takes effect in this process when the
 * promise is settled.
 *
 * @param accountIds all accounts that `run` locks
 */
export function commitChange<T>(
  { database, queue, feed }: ChangeContext,
  accountIds: string | readonly string[],
  run: (query: Query, tell: Tell) => Promise<T>,
): Promise<T> {
  return queue.run(accountIds, async () => {
    let told: Change | undefined;
    try {
      return await database.transaction((query) => {
        told = undefined;
        return run(query, (change) => {
          told = change;
          return announce(query, change);
        });
      });
    } finally {
      // Also after an error: the transaction may be committed although the answer was lost.
      if (told) await feed.apply(told);
    }
  });
}
