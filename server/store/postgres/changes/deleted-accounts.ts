import type { Database } from '../database/database.ts';
import type { Statement } from '../database/statement.ts';
import type { ChangeFeed } from './change-feed.ts';

const FIND_DELETED: Statement = {
  name: 'find_deleted_accounts',
  text: 'SELECT account_id FROM accounts_to_erase',
};

/**
 * Accounts that were deleted, and whose links may not all be erased yet. There are few, so that looking a
 * link up does not have to ask for its account.
 */
export class DeletedAccounts {
  readonly #database: Database;
  #ids: ReadonlySet<string> = new Set();

  constructor(database: Database, feed: ChangeFeed) {
    this.#database = database;
    feed.listen((notice) => {
      if (notice === 'all') return this.load();
      if (notice.deletedAccounts) this.#ids = new Set([...this.#ids, ...notice.deletedAccounts]);
      return undefined;
    });
  }

  async load(): Promise<void> {
    const rows = await this.#database.read<{ account_id: string }>(FIND_DELETED);
    this.#ids = new Set([...this.#ids, ...rows.map(({ account_id }) => account_id)]);
  }

  has(accountId: string): boolean {
    return this.#ids.has(accountId);
  }
}
