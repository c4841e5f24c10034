import { StoreOpenError } from '../../store.ts';
import { withConnection } from './connect.ts';
import type { ConnectionUrl } from './connection-url.ts';
import { migrate } from './migrate.ts';

/** Of copies into a database. A number that other programs hardly use. */
export const COPY_LOCK = 0x63_6f_70_79;

/**
 * Brings the tables of a database to the version of this program, for a server that is about to use it.
 *
 * @throws StoreOpenError as `connect` and `migrate` do, and while a copy is made into the database
 */
export function prepareDatabase(url: ConnectionUrl): Promise<void> {
  return withConnection(url, async (client) => {
    await migrate(client);
    const { rows } = await client.query('SELECT pg_try_advisory_lock_shared($1) AS is_free', [
      COPY_LOCK,
    ]);
    if (rows[0]?.is_free) return;
    throw new StoreOpenError(
      'A copy into the database in STORE_URL is under way. Start the server when "curt copy" has finished.',
    );
  });
}
