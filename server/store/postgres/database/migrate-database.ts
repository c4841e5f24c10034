import { connect } from './connect.ts';
import type { ConnectionUrl } from './connection-url.ts';
import { migrate } from './migrate.ts';

/**
 * Brings the tables of a database to the version of this program.
 *
 * @returns the names of the migrations that were applied
 * @throws StoreOpenError as `connect` and `migrate` do
 */
export async function migrateDatabase(url: ConnectionUrl): Promise<string[]> {
  const client = await connect(url);
  try {
    return await migrate(client);
  } finally {
    await client.end();
  }
}
