import type { Database } from '../database/database.ts';
import type { Query, Statement } from '../database/statement.ts';
import { eraseLinkStatistics } from '../statistics/visit-statistics.ts';

/** Aliases that are erased in one transaction. */
const TOGETHER = 500;

const NEXT_ACCOUNT: Statement = {
  name: 'next_account_to_erase',
  text: 'SELECT account_id FROM accounts_to_erase ORDER BY account_id LIMIT 1',
};
/** All servers lock them in one order. */
const LOCK_LINKS: Statement = {
  name: 'lock_links_to_erase',
  text: `SELECT key, id FROM aliases WHERE key IN (
      SELECT key FROM aliases WHERE account_id = $1 AND id IS NOT NULL LIMIT ${TOGETHER}
    ) AND account_id = $1 ORDER BY key FOR UPDATE`,
};
const LOCK_ALIASES: Statement = {
  name: 'lock_aliases_to_erase',
  text: `SELECT key, id FROM aliases WHERE key IN (
      SELECT key FROM aliases WHERE account_id = $1 AND id IS NULL LIMIT ${TOGETHER}
    ) AND account_id = $1 ORDER BY key FOR UPDATE`,
};
const RESERVE_FOR_NOBODY: Statement = {
  name: 'reserve_for_nobody',
  text: `UPDATE aliases SET account_id = '', current_key = NULL, id = NULL, number = NULL,
      created = NULL, deleted_at = NULL, hits = NULL, link = NULL, reversed_host = NULL,
      search_text = NULL, tags = NULL, import_key = NULL
    WHERE key = ANY ($1)`,
};
const SPEND_KEYS: Statement = {
  name: 'spend_keys_of_links',
  text: 'UPDATE idempotency_keys SET link = NULL WHERE link_id = ANY ($1)',
};
const DONE: Statement = {
  name: 'account_is_erased',
  text: 'DELETE FROM accounts_to_erase WHERE account_id = $1',
};

/** Erases the links of deleted accounts, a few in each transaction. They are invisible before. */
export class LinkEraser {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  #running: Promise<void> | undefined;
  #isClosed = false;

  /** @param onError called if the database fails. Maintenance starts the eraser again. */
  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Erases in the background. */
  start(): void {
    if (this.#isClosed) return;
    const earlier = this.#running ?? Promise.resolve();
    this.#running = earlier.then(() => this.run()).catch(this.#onError);
  }

  /** Resolves when all links of deleted accounts are erased, or the eraser is closed. */
  async run(): Promise<void> {
    while (!this.#isClosed) {
      const [next] = await this.#database.read<{ account_id: string }>(NEXT_ACCOUNT);
      if (!next) return;
      const { account_id: id } = next;
      await this.#database.transaction((query) => eraseSome(query, id));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }
}

async function eraseSome(query: Query, accountId: string): Promise<void> {
  type Row = { key: string; id: string | null };
  const links = await query<Row>(LOCK_LINKS, [accountId]);
  const rows = links.length > 0 ? links : await query<Row>(LOCK_ALIASES, [accountId]);
  await query(RESERVE_FOR_NOBODY, [rows.map(({ key }) => key)]);
  const ids = rows.flatMap(({ id }) => id ?? []);
  if (ids.length > 0) {
    await query(SPEND_KEYS, [ids]);
    await eraseLinkStatistics(query, ids);
  }
  if (rows.length === 0) await query(DONE, [accountId]);
}
