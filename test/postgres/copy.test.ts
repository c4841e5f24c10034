import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { DAY_MS } from '../../server/lib/time.ts';
import type { Link } from '../../server/store/link.ts';
import {
  openDatabaseSource,
  openDatabaseTarget,
} from '../../server/store/postgres/copy/database-copy.ts';
import type { Store } from '../../server/store/store.ts';
import { copyStore } from '../../server/store/tools/copy.ts';
import { openFolderSource } from '../../server/store/tools/folder-copy.ts';
import { openStore } from '../../server/store/tools/open.ts';
import { recordsOf } from '../fixtures/formats/records-of.ts';
import { copyReleasedFolder } from '../fixtures/formats/released.ts';
import { addLink, editOf, NOW, newAccount, newKey, newLink, targetOf } from '../store/contract.ts';
import { compactFolder } from '../store/support/compact-folder.ts';
import { openFolder, openUntilTestEnds } from '../store/support/folders.ts';
import { timeAt } from '../support/manual-time.ts';
import { newFolder } from '../support/new-folder.ts';
import { connectTo, newDatabase } from './support/databases.ts';
import { rethrow } from './support/open-stores.ts';

/** More than the rows that are read and written at once. */
const MANY = 2500;

const OPTIONS = { time: timeAt(), onError: rethrow };

type OnProgress = (done: number, total: number) => void;

function copy(from: string, to: string, onProgress?: OnProgress) {
  return copyStore(from, to, { now: NOW, ...(onProgress && { onProgress }) });
}

/** Opens a store that is closed after the test. */
async function openDatabase(url: string): Promise<Store> {
  const store = await openStore(url, OPTIONS);
  onTestFinished(() => store.close());
  return store;
}

/** A data folder that was filled and closed. */
async function folderWith(...rounds: ((store: Store) => Promise<unknown>)[]): Promise<string> {
  const folder = await newFolder();
  for (const [index, fill] of rounds.entries()) {
    if (index > 0) await compactFolder(folder, NOW);
    const store = await openFolder(folder);
    await fill(store);
    await store.close();
  }
  return folder;
}

async function addMany(store: Store): Promise<void> {
  await store.secret();
  const account = newAccount();
  await addLink(store, newLink('first', { newAccount: account }));
  const adding = Array.from({ length: MANY }, (_, index) =>
    addLink(store, newLink(`many-${index}`, { quota: Number.POSITIVE_INFINITY })),
  );
  await Promise.all(adding);
}

async function connectAsCurt(database: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database, application_name: 'curt' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Waits until a copy has looked for other connections. It gives up a second after it found an idle one. */
async function untilLooking(client: pg.Client): Promise<void> {
  const looks = async () => {
    const { rows } = await client.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%AS others%'`,
    );
    return rows.length;
  };
  await expect.poll(looks, { interval: 5 }).toBeGreaterThan(0);
}

/** Throws once so many records are done. */
function interruptAfter(records: number): OnProgress {
  return (done) => {
    if (done >= records) throw new Error('interrupted');
  };
}

test('everything of a data folder comes back from a database', async () => {
  const from = await copyReleasedFolder('1.0', join(await newFolder(), 'data'));
  const database = await newDatabase({ migrated: false });
  const [there, back] = [`file:${from}`, join(await newFolder(), 'back')];
  const first = await copy(there, database);
  const second = await copy(database, `file:${back}`);
  expect(first).toMatchObject({ links: 4, accounts: 3 });
  expect(second).toEqual(first);
  const expected = await recordsOf(openFolderSource(from, NOW));
  expect(await recordsOf(openFolderSource(back, NOW))).toEqual(expected);
  expect(await recordsOf(await openDatabaseSource(database, NOW))).toEqual(expected);
  for (const store of [await openUntilTestEnds(back), await openDatabase(database)]) {
    expect(await store.findLink('FALL-26')).toMatchObject({ alias: 'Herbst-26', hits: 17 });
  }
});

test('what was used up last month, and the key of a link that was visited and edited, come back', async () => {
  let visited: Link | undefined;
  const from = await folderWith(
    async (store) => {
      const renamed = await addLink(store, newLink('one'));
      const lastMonth = NOW - 31 * DAY_MS;
      await store.editLink({ ...editOf(renamed, { alias: 'two' }), modified: lastMonth });
      visited = await addLink(store, newLink('three', { idempotency: newKey() }));
      store.countHit(visited.id);
    },
    (store) => store.editLink(editOf(visited as Link, { title: 'edited' })),
  );
  const database = await newDatabase();
  const report = await copy(`file:${from}`, database);
  expect(await copy(database, `file:${join(await newFolder(), 'back')}`)).toEqual(report);
});

test('what a newer version has stored of a link comes back', async () => {
  const newerFields = { shade: 'L', watch: { on: [1, null] } };
  const from = await folderWith((store) =>
    addLink(store, newLink('one', { link: { newerFields } })),
  );
  const database = await newDatabase();
  const back = join(await newFolder(), 'back');
  await copy(`file:${from}`, database);
  await copy(database, `file:${back}`);
  const copied = await openUntilTestEnds(back);
  expect(await copied.findLink('one')).toMatchObject({ newerFields });
});

test('texts that PostgreSQL cannot store as such come back', async () => {
  const title = 'a \0 null, half of a pair \ud83d, “quotes”, \\ and \n lines';
  const key = newKey();
  const from = await folderWith(async (store) => {
    const input = newLink('one', { idempotency: key, link: { title, tags: [title] } });
    const link = await addLink(store, input);
    await store.addAccount({ ...newAccount(), name: title });
    await store.editLink(editOf(link, { ...targetOf('https://example.com/%00'), maxVisits: 5 }));
  });
  const database = await newDatabase();
  const back = join(await newFolder(), 'back');
  await copy(`file:${from}`, database);
  await copy(database, `file:${back}`);
  const [original, copied] = [await openUntilTestEnds(from), await openUntilTestEnds(back)];
  expect(await copied.findLink('one')).toEqual(await original.findLink('one'));
  const replay = await original.findReplay(key.keyHash, NOW);
  expect(await copied.findReplay(key.keyHash, NOW)).toEqual(replay);
});

test('a copy that was interrupted leaves nothing, and starts again', async () => {
  const from = `file:${await folderWith(addMany)}`;
  const database = await newDatabase();
  await expect(copy(from, database, interruptAfter(1000))).rejects.toThrow('interrupted');
  await expect(copy(from, database, interruptAfter(2000))).rejects.toThrow('interrupted');
  const report = await copy(from, database);
  expect(report.links).toBe(MANY + 1);
  const store = await openDatabase(database);
  expect(await store.findLink('many-0')).toMatchObject({ alias: 'many-0' });
  const another = await newDatabase();
  expect(await copy(from, another)).toEqual(report);
});

test.each([
  ['written', openDatabaseTarget],
  ['read', openDatabaseSource],
])('no server starts while a copy is %s', async (_, open) => {
  const database = await newDatabase();
  const copied = await open(database, NOW);
  await expect(openStore(database, OPTIONS)).rejects.toThrow(/The database .* is being copied/);
  await copied.close();
  await openDatabase(database);
});

test('a folder without a secret is copied into a database that a server has prepared', async () => {
  const from = await folderWith((store) => addLink(store, newLink('one')));
  const database = await newDatabase();
  const server = await openStore(database, OPTIONS);
  await server.secret();
  await server.close();
  expect(await copy(`file:${from}`, database)).toMatchObject({ links: 1 });
});

test('an empty database is not copied, and stays empty', async () => {
  const database = await newDatabase({ migrated: false });
  const parent = await newFolder();
  const to = `file:${join(parent, 'copy')}`;
  await expect(copy(database, to)).rejects.toThrow(/has no data of Curt/);
  expect(await readdir(parent)).toEqual([]);
  const { rows } = await (await connectTo(database)).query(
    `SELECT FROM pg_tables WHERE schemaname = 'public'`,
  );
  expect(rows).toEqual([]);
});

test('a copy is not made into a database that has data', async () => {
  const from = `file:${await folderWith(addMany)}`;
  const database = await newDatabase();
  await copy(from, database);
  await expect(copy(from, database)).rejects.toThrow(/has data of Curt already/);
});

test('a database that a server uses is neither read nor written', async () => {
  const from = `file:${await folderWith(addMany)}`;
  const database = await newDatabase();
  const server = await connectAsCurt(database);
  onTestFinished(() => server.end());
  const to = `file:${join(await newFolder(), 'copy')}`;
  await expect(copy(from, database)).rejects.toThrow(/server is using the database/);
  await expect(copy(database, to)).rejects.toThrow(/server is using the database/);
});

test('a copy waits for connections of a server that was just killed', async () => {
  const from = `file:${await folderWith((store) => addLink(store, newLink('one')))}`;
  const database = await newDatabase();
  const killed = await connectAsCurt(database);
  const client = await connectTo(database);
  const copied = expect(copy(from, database)).resolves.toMatchObject({ links: 1 });
  await untilLooking(client);
  await killed.end();
  await copied;
});

test('a copy waits for the last statement of one that was killed', async () => {
  const from = `file:${await folderWith(addMany)}`;
  const database = await newDatabase();
  const killed = await connectAsCurt(database);
  await killed.query('BEGIN');
  const { rows } = await killed.query('SELECT pg_backend_pid() AS pid');
  const client = await connectTo(database);
  await client.query('SELECT pg_advisory_lock(1)');
  const statement = killed.query('SELECT pg_advisory_lock(1)').catch(() => {});
  const stateOf = async () => {
    const { rows: states } = await client.query(
      'SELECT state FROM pg_stat_activity WHERE pid = $1',
      [rows[0]?.pid],
    );
    return states[0]?.state;
  };
  await expect.poll(stateOf).toBe('active');
  // As the end of its process does.
  killed.connection.stream.destroy();
  await statement;
  expect(await stateOf()).toBe('active');
  const copying = copy(from, database);
  await untilLooking(client);
  await client.query('SELECT pg_advisory_unlock(1)');
  expect(await copying).toMatchObject({ links: MANY + 1 });
  expect(await stateOf()).toBeUndefined();
});
