import type { Block, Blocks } from '../../blocks.ts';
import type { StoredDomain, StoredDomains } from '../../domains.ts';
import { BlockTable } from '../../records/block-table.ts';
import type { Database } from '../database/database.ts';

/** Operators make few blocks and domains, so servers keep all of them in memory. */

export async function readBlocks(database: Database): Promise<Blocks> {
  const table = new BlockTable();
  type Row = Pick<Block, 'reason' | 'since'> & { key: string };
  const rows = await database.read<Row>(
    'SELECT key, reason, since FROM blocks ORDER BY since, key',
  );
  for (const { key, ...content } of rows) table.set(key, content);
  return table;
}

export async function readDomains(database: Database): Promise<StoredDomains> {
  type Row = { host: string; domain: StoredDomain };
  const rows = await database.read<Row>('SELECT host, domain FROM domains');
  return new Map(rows.map(({ host, domain }) => [host, domain]));
}
