import type { Block, Blocks } from '../../blocks.ts';
import type { StoredDomain, StoredDomains } from '../../domains.ts';
import { BlockTable } from '../../records/block-table.ts';
import type { Database } from '../database/database.ts';
import type { PlainRow } from '../database/plain-tables.ts';

/** Operators make few blocks and domains, so servers keep all of them in memory. */

export async function readBlocks(database: Database): Promise<Blocks> {
  const read = `SELECT key, value FROM blocks ORDER BY (value->>'since')::bigint, key`;
  const table = new BlockTable();
  const rows = await database.read<PlainRow<Pick<Block, 'reason' | 'since'>>>(read);
  for (const { key, value } of rows) table.set(key, value);
  return table;
}

export async function readDomains(database: Database): Promise<StoredDomains> {
  const rows = await database.read<PlainRow<StoredDomain>>('SELECT key, value FROM domains');
  return new Map(rows.map(({ key, value }) => [key, value]));
}
