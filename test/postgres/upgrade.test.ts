import { expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS } from '../../server/store/postgres/database/migrate.ts';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import type { Store } from '../../server/store/store.ts';
import { addLink, editOf, newLink } from '../store/contract.ts';
import { timeAt } from '../support/manual-time.ts';
import { connectTo, newDatabase } from './support/databases.ts';
import { openStores, rethrow } from './support/open-stores.ts';

/** As far as a later 1.x may go: servers of the version before can use the tables. */
const NEXT = {
  name: '002-next',
  sql: `ALTER TABLE links ADD COLUMN shade text;
    CREATE INDEX links_shade ON links (shade) WHERE shade IS NOT NULL;
    UPDATE links SET shade = 'L', link = (link::jsonb || '{"shade":"L"}')::json;`,
};
const LINKS = 20;
const WORKERS = 4;

/** Opens the store of a later version. */
async function openNewer(url: string): Promise<Store> {
  const options = { time: timeAt(), onError: rethrow };
  const store = await openPostgresStore(url, options, undefined, undefined, [...MIGRATIONS, NEXT]);
  onTestFinished(() => store.close());
  return store;
}

test('two servers of a version work on while a newer one changes the tables, and keep what it stores', async () => {
  const url = await newDatabase();
  const old = await openStores(2, url);
  const links = await Promise.all(
    Array.from({ length: LINKS }, (_, number) =>
      addLink(old[0] as Store, newLink(`link-${number}`)),
    ),
  );
  const added: string[] = [];
  const failures: unknown[] = [];
  let isOver = false;
  const work = async (worker: number) => {
    const store = old[worker % old.length] as Store;
    for (let count = 0; !isOver; count++) {
      const alias = `new-${worker}-${count}`;
      const link = links[(count * WORKERS + worker) % LINKS];
      if (!link) continue;
      await addLink(store, newLink(alias));
      added.push(alias);
      await store.editLink(editOf(link, { title: `${worker} ${count}` }));
      await store.takeVisit(link.id);
      expect(await store.findLink(link.alias)).toBeDefined();
    }
  };
  const load = Promise.all(
    Array.from({ length: WORKERS }, (_, worker) =>
      work(worker).catch((error) => failures.push(error)),
    ),
  );
  await expect.poll(() => added.length).toBeGreaterThan(LINKS);
  const newer = await openNewer(url);
  const before = added.length;
  await expect.poll(() => added.length).toBeGreaterThan(before + LINKS);
  isOver = true;
  await load;
  expect(failures).toEqual([]);

  for (const { alias } of links) {
    const link = await newer.findLink(alias);
    expect([link?.newerFields, link?.title]).toEqual([{ shade: 'L' }, expect.stringMatching(/\d/)]);
  }
  const client = await connectTo(url);
  const { rows } = await client.query(
    `SELECT count(*)::integer AS count FROM links WHERE shade = 'L' AND link->>'shade' = 'L'
      AND id = ANY ($1)`,
    [links.map(({ id }) => id)],
  );
  expect(rows).toEqual([{ count: LINKS }]);
  for (const alias of added) expect(await newer.findLink(alias)).toBeDefined();
  // Those that run go on, but none of them starts again.
  await expect(openStores(1, url)).rejects.toThrow(/it is at migration 2, and this is Curt/);
});
