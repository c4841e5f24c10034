import { isPostgresUrl } from '../../lib/postgres-url.ts';
import { withConnection } from '../postgres/database/connect.ts';
import { parseConnectionUrl } from '../postgres/database/connection-url.ts';
import { migrate as migrateTables } from '../postgres/database/migrate.ts';
import { StoreOpenError } from '../store.ts';

/**
 * Brings the tables of the database that `STORE_URL` names to the version of this program.
 *
 * @returns the names of the migrations that were applied
 * @throws StoreOpenError with a message for the operator
 */
export async function migrate(url: string): Promise<string[]> {
  if (!isPostgresUrl(url)) {
    throw new StoreOpenError(
      'STORE_URL must name a PostgreSQL database, such as postgres://user:password@host:5432/curt. A folder needs no migration.',
    );
  }
  return withConnection(parseConnectionUrl(url), migrateTables);
}
