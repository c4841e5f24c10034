import { expect, test } from 'vitest';
import { openDatabaseSource } from '../../server/store/postgres/copy/database-copy.ts';
import { MIGRATIONS, migrate } from '../../server/store/postgres/database/migrate.ts';
import { NEWER } from '../fixtures/formats/content.ts';
import { recordsOf } from '../fixtures/formats/records-of.ts';
import { RELEASED, releasedLines } from '../fixtures/formats/released.ts';
import { addLink, NOW, newLink } from '../store/contract.ts';
import { connectTo, newDatabase } from './support/databases.ts';
import { withStore } from './support/open-stores.ts';

/** Fills a database as `pg_restore` would. */
async function restoreDatabase(version: string): Promise<string> {
  const url = await newDatabase({ migrated: false });
  const client = await connectTo(url);
  const rows = (await releasedLines(version, 'database.jsonl')) as [string, { number?: number }][];
  const applied = rows.filter(([table]) => table === 'curt_migrations');
  await migrate(client, MIGRATIONS.slice(0, applied.length));
  await client.query('DELETE FROM curt_migrations; SET session_replication_role = replica');
  for (const [table, row] of rows) {
    await client.query(
      `INSERT INTO ${table} SELECT * FROM json_populate_record(null::${table}, $1)`,
      [JSON.stringify(row)],
    );
  }
  return url;
}

test.each(RELEASED)(
  'a database of Curt %s opens with every value, and can be changed',
  async (version) => {
    const url = await restoreDatabase(version);
    const expected = await releasedLines(version, 'records.jsonl');
    await withStore(url, async (store) => {
      await addLink(store, newLink('later'));
      const link = await store.findLink('FALL-26');
      expect(link).toMatchObject({ alias: 'Herbst-26', hits: 17 });
      // A field that nobody knows any more would be among the newer ones.
      expect(link?.newerFields).toEqual(NEWER);
    });
    const after = await recordsOf(await openDatabaseSource(url, NOW));
    expect(after).toEqual(expect.arrayContaining(expected));
    expect(after.some(([kind, , value]) => kind === 'link' && value.alias === 'later')).toBe(true);
  },
);
