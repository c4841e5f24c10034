import { StoreOpenError } from '../../store.ts';
import { withConnection } from './connect.ts';
import type { ConnectionUrl } from './connection-url.ts';
import { migrate } from './migrate.ts';

/**
 * Brings the tables of a database to the version of this program, for a server that is about to use it.
 *
 * @throws StoreOpenError as `connect` and `migrate` do, and if only a part was copied into the database
 */
export function prepareDatabase(url: ConnectionUrl): Promise<void> {
  return withConnection(url, async (client) => {
    await migrate(client);
    const { rowCount } = await client.query('SELECT FROM copy_progress');
    if (rowCount === 0) return;
    throw new StoreOpenError(
      'The database in STORE_URL has only a part of a copy. Run the same "curt copy" again: it goes on where it ended.',
    );
  });
}
