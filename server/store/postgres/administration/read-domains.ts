import type { StoredDomain, StoredDomains } from '../../domains.ts';
import type { Database } from '../database/database.ts';

const READ = 'SELECT host, domain FROM domains';

/** All domains in the database. */
export async function readDomains(database: Database): Promise<StoredDomains> {
  const rows = await database.read<{ host: string; domain: StoredDomain }>(READ);
  return new Map(rows.map(({ host, domain }) => [host, domain]));
}
