import { StoreUnavailableError } from '../../store.ts';
import { type ChangeFeed, COHERENT_MS } from '../changes/change-feed.ts';
import type { Database } from '../database/database.ts';
import type { Query, Statement } from '../database/statement.ts';
import { withinTime } from '../database/within-time.ts';
import type { Replica } from '../replica/replica.ts';
import type { StoredLink } from './link-row.ts';

/** A link may be renamed while its aliases are followed. */
const STEPS_MAX = 5;

export const FIND_LINK: Statement = {
  name: 'find_link',
  text: 'SELECT key, id, hits, link, current_key FROM aliases WHERE key = $1',
};

type AliasRow = StoredLink & { current_key: string | null };

/** Reads links from the replica, if there is one, or else from the primary. */
export class LinkReader {
  readonly #database: Database;
  readonly #feed: Pick<ChangeFeed, 'isUpToDate'>;
  readonly #replica: Replica | undefined;

  constructor(
    database: Database,
    feed: Pick<ChangeFeed, 'isUpToDate'>,
    replica: Replica | undefined,
  ) {
    this.#database = database;
    this.#feed = feed;
    this.#replica = replica;
  }

  /**
   * @returns one row, or none
   * @throws StoreUnavailableError
   */
  async read(key: string): Promise<StoredLink[]> {
    const run = (query: Query) => readRow(query, key);
    if (!this.#replica) return this.#database.readTogether(run);
    // Otherwise, changes may not have been heard of.
    if (this.#feed.isUpToDate) {
      const rows = await this.#replica.read(key, run);
      // New links are not announced.
      if (rows && rows.length > 0) return rows;
    }
    const fromPrimary = this.#database.readTogether(run);
    try {
      // A primary that hangs does not make visitors wait for what the replica has.
      return await withinTime(fromPrimary, COHERENT_MS);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      const rows = await this.#replica.read(key, run);
      return rows && rows.length > 0 ? rows : fromPrimary;
    }
  }
}

async function readRow(query: Query, alias: string): Promise<StoredLink[]> {
  let key = alias;
  for (let step = 0; step < STEPS_MAX; step++) {
    const rows = await query<AliasRow>(FIND_LINK, [key]);
    const [row] = rows;
    if (row?.id) return rows;
    if (!row?.current_key) return [];
    key = row.current_key;
  }
  return [];
}
