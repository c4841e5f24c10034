import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { WAIT_MS } from '../../server/store/postgres/links/link-cache.ts';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import { type Store, StoreUnavailableError } from '../../server/store/store.ts';
import { addLink, editOf, NOW, newLink, targetOf } from '../store/contract.ts';
import { timeAt } from '../support/manual-time.ts';
import { createLink, send, startServers } from './servers/two-servers.ts';
import { type Cluster, startCluster } from './support/cluster.ts';
import { connectTo } from './support/databases.ts';
import { lookUpUntilKnown } from './support/open-stores.ts';

/** Each is looked up once, because afterwards it is in a cache. */
const LINKS = 200;
const EDITS = 200;
const UNLIMITED = { quota: Number.POSITIVE_INFINITY };

let primary: Cluster;
let standby: Cluster;

beforeAll(async () => {
  primary = await startCluster();
  standby = await startCluster({ primary });
});

afterAll(async () => {
  await standby.remove();
  await primary.remove();
});

/** A database with links that both servers have. */
class Replicated {
  readonly name: string;
  readonly store: Store;
  #place = 0;

  constructor(name: string, store: Store) {
    this.name = name;
    this.store = store;
  }

  /** An alias that was not looked up before. */
  next(): string {
    return `many-${this.#place++}`;
  }

  /**
   * Stops the replay, and makes the hits of all links on the primary differ from those on the standby.
   *
   * @returns a function that says which database a store reads from
   */
  async pauseReplay(): Promise<(store: Store) => Promise<string>> {
    await resumeReplay();
    await untilReplayed();
    await query(standby, 'postgres', 'SELECT pg_wal_replay_pause()');
    await expect
      .poll(() => query(standby, 'postgres', 'SELECT pg_get_wal_replay_pause_state() AS state'))
      .toEqual([{ state: 'paused' }]);
    await query(primary, this.name, 'UPDATE links SET hits = hits + 1');
    const [first] = await query(primary, this.name, 'SELECT max(hits)::integer AS hits FROM links');
    return async (store) => {
      const link = await store.findLink(this.next());
      if (link?.hits === first?.hits) return 'primary';
      return link?.hits === first?.hits - 1 ? 'replica' : `neither: ${link?.hits}`;
    };
  }
}

async function newDatabase(name: string): Promise<Replicated> {
  // A test that fails may leave it paused.
  onTestFinished(async () => {
    await resumeReplay();
  });
  await query(primary, 'postgres', `CREATE DATABASE ${name}`);
  const { store } = await openWithReplica(name);
  for (let place = 0; place < LINKS; place += 100) {
    const adding = Array.from({ length: 100 }, (_, offset) => {
      const link = { id: `${place + offset}` };
      return addLink(store, newLink(`many-${place + offset}`, { ...UNLIMITED, link }));
    });
    await Promise.all(adding);
  }
  const database = new Replicated(name, store);
  await untilReplayed();
  return database;
}

/** The errors that belong to no call are collected. */
async function openWithReplica(name: string): Promise<{ store: Store; errors: unknown[] }> {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const options = { time: timeAt(), onError };
  const store = await openPostgresStore(primary.url(name), options, standby.url(name));
  onTestFinished(() => store.close().catch(() => {}));
  return { store, errors };
}

async function query(cluster: Cluster, database: string, text: string) {
  const client = new pg.Client(cluster.url(database));
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until the standby has all that the primary has. */
async function untilReplayed(): Promise<void> {
  // Not where the next change goes: at the start of a page, that is behind the page's header.
  const [place] = await query(primary, 'postgres', 'SELECT pg_current_wal_flush_lsn() AS lsn');
  const isReplayed = `SELECT pg_last_wal_replay_lsn() >= '${place?.lsn}' AS is_replayed`;
  await expect.poll(() => query(standby, 'postgres', isReplayed)).toEqual([{ is_replayed: true }]);
}

/** Reads again if that took so long that the standby may have been asked. */
async function readInTime<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    const start = performance.now();
    const result = await read();
    if (performance.now() - start < WAIT_MS) return result;
  }
}

const resumeReplay = () => query(standby, 'postgres', 'SELECT pg_wal_replay_resume()');

/** Makes the standby lag. */
async function setDelay(delay: string): Promise<void> {
  await query(standby, 'postgres', `ALTER SYSTEM SET recovery_min_apply_delay = '${delay}'`);
  await query(standby, 'postgres', 'SELECT pg_reload_conf()');
}

test('links are read from the primary while it can be reached, however far the standby lags', async () => {
  const database = await newDatabase('lagging');
  const [one, other] = [database.store, await openWithReplica(database.name)];
  const edited = await addLink(one, newLink('edited', UNLIMITED));
  const deleted = await addLink(one, newLink('deleted', UNLIMITED));
  const sourceFor = await database.pauseReplay();

  const url = 'https://example.com/changed';
  await one.editLink(editOf(edited, targetOf(url)));
  await one.editLink(editOf(deleted, { deletedAt: NOW }));
  await addLink(one, newLink('new', UNLIMITED));
  const seenBy = (store: Store) =>
    readInTime(async () => [
      (await store.findLink('edited'))?.targetUrl,
      (await store.findLink('deleted'))?.deletedAt,
      (await store.findLink('new'))?.alias,
    ]);
  const expected = [url, NOW, 'new'];
  expect(await seenBy(one)).toEqual(expected);
  expect(await seenBy(other.store)).toEqual(expected);
  expect(await other.store.findLink('unknown')).toBeUndefined();
  expect(await readInTime(() => sourceFor(other.store))).toBe('primary');
  expect(other.errors).toEqual([]);
});

test('what the standby has is not remembered, if the primary was only slow', async () => {
  const database = await newDatabase('slow');
  const one = database.store;
  const link = await addLink(one, newLink('edited', UNLIMITED));
  await untilReplayed();
  await database.pauseReplay();
  await one.editLink(editOf(link, { title: 'new' }));
  const other = await openWithReplica(database.name);
  const locking = await connectTo(primary.url(database.name));
  await locking.query('BEGIN');
  await locking.query('LOCK TABLE links IN ACCESS EXCLUSIVE MODE');
  expect(await other.store.findLink('edited')).toMatchObject({ title: link.title });
  expect(other.store.knownLink('edited')).toBeUndefined();
  await locking.query('ROLLBACK');
  expect((await lookUpUntilKnown(other.store, 'edited')).title).toBe('new');
  const found = await readInTime(() => other.store.findLink('edited'));
  expect(found).toMatchObject({ title: 'new' });
});

test('an edit is never followed by an earlier version, on any server', async () => {
  const database = await newDatabase('edited');
  const [one, other] = [database.store, await openWithReplica(database.name)];
  await resumeReplay();
  await setDelay('200ms');
  onTestFinished(() => setDelay('0'));
  const link = await addLink(one, newLink('edited', UNLIMITED));
  const versionOn = (store: Store) =>
    readInTime(async () => (await store.findLink('edited'))?.version ?? 0);
  const delays: number[] = [];
  let seen = 0;
  for (let version = 2; version <= EDITS; version++) {
    await one.editLink(editOf(link, { title: `${version}` }));
    const start = performance.now();
    expect(await versionOn(one)).toBe(version);
    while (seen < version) {
      const now = await versionOn(other.store);
      expect(now).toBeGreaterThanOrEqual(seen);
      seen = now;
    }
    delays.push(performance.now() - start);
  }
  delays.sort((first, second) => first - second);
  expect(delays[EDITS * 0.95]).toBeLessThan(WAIT_MS);
  expect(other.errors).toEqual([]);
});

test('without the standby, links are read from the primary, and without both, nothing is found', async () => {
  const database = await newDatabase('killed');
  const { store, errors } = await openWithReplica(database.name);
  await standby.kill();
  for (let visits = 0; visits < 20; visits++) {
    expect(await store.findLink(database.next())).toBeDefined();
  }
  expect(errors).toEqual([]);
  await primary.kill();
  await expect(store.findLink('nobody')).rejects.toThrow(StoreUnavailableError);
  for (let visits = 0; visits < 5; visits++) {
    await expect(store.findLink(database.next())).rejects.toThrow(StoreUnavailableError);
  }
  const isOfStandby = (error: unknown) => /STORE_READ_URL cannot be used/.test(`${error}`);
  expect(errors.filter(isOfStandby)).toHaveLength(1);
  await Promise.all([standby.start(), primary.start()]);
});

test('without the primary, a server redirects links that only the replica has', async () => {
  const database = await newDatabase('survived');
  const { name } = database;
  const [first, server] = await startServers(2, primary.url(name), {
    STORE_READ_URL: standby.url(name),
  });
  if (!first || !server) throw new Error('both servers must start');
  const [cold, limited] = [await createLink(first), await createLink(first, { maxVisits: 5 })];
  await untilReplayed();
  const visit = async (alias: string) => (await send(server, `GET /${alias}`)).status;
  await primary.kill();
  expect(await visit(cold.alias)).toBe(302);
  expect(await visit(database.next())).toBe(302);
  expect([await visit(limited.alias), await visit('unknown')]).toEqual([503, 503]);
  const body = { originalUrl: 'https://example.com/page' };
  expect((await send(server, 'POST /api/shorten', { body })).status).toBe(503);
  await primary.start();
  await expect.poll(() => visit(limited.alias)).toBe(302);
});
