import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import { type Store, StoreUnavailableError } from '../../server/store/store.ts';
import { addLink, editOf, newLink } from '../store/contract.ts';
import { timeAt } from '../support/manual-time.ts';
import { startCluster } from './support/cluster.ts';
import { connectTo, newDatabase } from './support/databases.ts';

/** A store whose errors that belong to no call are collected: connections are lost on purpose. */
async function openTolerant(url: string): Promise<{ store: Store; errors: unknown[] }> {
  const errors: unknown[] = [];
  const store = await openPostgresStore(url, {
    time: timeAt(),
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => store.close().catch(() => {}));
  return { store, errors };
}

describe('a server whose connections were terminated', () => {
  test('learns of what changed meanwhile, and of later changes', async () => {
    const url = await newDatabase();
    const [one, other] = [await openTolerant(url), await openTolerant(url)];
    const link = await addLink(one.store, newLink('one'));
    await other.store.findLink('one');
    const administrator = await connectTo(url);
    const terminate = () =>
      administrator.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    const titleOn = async (store: Store) => (await store.findLink('one'))?.title;
    for (const title of ['first', 'second', 'third']) {
      await terminate();
      // Not by the other connections of the server, which may be lost too: what a visit needs is tried again.
      await administrator.query(
        `UPDATE links SET link = jsonb_set(link::jsonb, '{title}', to_jsonb($1::text))::json`,
        [`${title}, unannounced`],
      );
      await expect.poll(() => titleOn(other.store)).toBe(`${title}, unannounced`);
      await expect
        .poll(() => one.store.editLink(editOf(link, { title })).catch(() => undefined))
        .toMatchObject({ kind: 'edited' });
      await expect.poll(() => titleOn(other.store)).toBe(title);
      await administrator.query(`INSERT INTO domains (key, value) VALUES ($1, '{}')`, [title]);
      await expect.poll(() => other.store.domains.has(title)).toBe(true);
    }
    for (const error of [...one.errors, ...other.errors]) {
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('curt-test');
    }
  });
});

describe('a server whose database is stopped', () => {
  test('goes on with links that it knows, refuses the rest, and recovers by itself', async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.remove());
    const { store } = await openTolerant(cluster.url('postgres'));
    const link = await addLink(store, newLink('known'));
    await addLink(store, newLink('unknown'));
    const known = await store.findLink('known');
    await cluster.stop();

    expect(await store.findLink('known')).toEqual(known);
    // Also when what is known is older than a second.
    const sinceStop = performance.now();
    await expect.poll(() => performance.now() - sinceStop).toBeGreaterThan(1100);
    expect(await store.findLink('known')).toEqual(known);
    expect(store.knownLink('known')).toBeUndefined();
    const start = performance.now();
    const calls = await Promise.allSettled([
      store.findLink('unknown'),
      store.findLink('nobody'),
      store.addLink(newLink('late')),
      store.editLink(editOf(link, { title: 'late' })),
      store.takeVisit(link.id),
      store.listLinks({ accountId: 'a', limit: 1, after: null, search: null, tag: null }),
      store.checkWritable(),
    ]);
    const reasons = calls.map((call) => call.status === 'rejected' && call.reason);
    for (const reason of reasons) expect(reason).toBeInstanceOf(StoreUnavailableError);
    expect(performance.now() - start).toBeLessThan(15_000);
    store.countHit(link.id);

    await cluster.start();
    await expect
      .poll(() =>
        store.checkWritable().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    expect(await store.findLink('unknown')).toMatchObject({ alias: 'unknown' });
    expect(await store.findLink('late')).toBeUndefined();
    const reader = await connectTo(cluster.url('postgres'));
    // Hits from the time without the database are written.
    const hits = async () => {
      const { rows } = await reader.query(
        `SELECT hits FROM links JOIN aliases ON link_id = id WHERE key = 'known'`,
      );
      return rows[0]?.hits;
    };
    await expect.poll(hits).toBe('1');
  });
});
