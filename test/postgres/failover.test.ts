import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import { StoreUnavailableError } from '../../server/store/store.ts';
import { addLink, newLink } from '../store/contract.ts';
import { timeAt } from '../support/manual-time.ts';
import { startCluster } from './support/cluster.ts';
import { connectTo } from './support/databases.ts';

/** Links that are added before the primary is killed, and after the standby took over. */
const LINKS = 50;

test('a server follows a failover by itself, and no link that it confirmed is lost', async () => {
  // A commit is confirmed once both have it. Set at the start: nothing says when a reload is in effect.
  const primary = await startCluster({ settings: ['synchronous_standby_names=*'] });
  onTestFinished(() => primary.remove());
  const standby = await startCluster({ primary });
  onTestFinished(() => standby.remove());
  const administrator = await connectTo(primary.url('postgres'));
  const { rows } = await administrator.query('SHOW synchronous_standby_names');
  expect(rows).toEqual([{ synchronous_standby_names: '*' }]);

  // The standby comes first, and is passed over because it only reads.
  const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
  const url = primary
    .url('postgres')
    .replace(/@[^/]*/, `@${hosts}`)
    .concat('?target_session_attrs=read-write');
  const store = await openPostgresStore(url, { time: timeAt(), onError: () => {} });
  onTestFinished(() => store.close().catch(() => {}));

  const added: string[] = [];
  const failures: unknown[] = [];
  const addOne = async () => {
    const alias = `link-${added.length}-${failures.length}`;
    try {
      added.push((await addLink(store, newLink(alias))).alias);
    } catch (error) {
      failures.push(error);
    }
  };
  const known = await addLink(store, newLink('known'));
  expect(await store.findLink('known')).toEqual(known);
  while (added.length < LINKS) await addOne();
  expect(failures).toEqual([]);

  await primary.kill();
  await addOne();
  expect(failures).not.toEqual([]);
  expect(await store.findLink('known')).toEqual(known);
  const successor = await connectTo(standby.url('postgres'));
  await successor.query('SELECT pg_promote()');
  while (added.length < 2 * LINKS) await addOne();
  for (const failure of failures) expect(failure).toBeInstanceOf(StoreUnavailableError);

  const { rows: stored } = await successor.query(
    'SELECT key FROM aliases WHERE link_id IS NOT NULL',
  );
  expect(stored.map(({ key }) => key)).toEqual(expect.arrayContaining(added));
  await store.checkWritable();
});

test('a primary that others have followed already is reported, once', async () => {
  const primary = await startCluster();
  onTestFinished(() => primary.remove());
  const standby = await startCluster({ primary });
  onTestFinished(() => standby.remove());
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  const url = primary.url('postgres').replace(/@[^/]*/, `@${hosts}`);
  const errors: string[] = [];
  const store = await openPostgresStore(url, {
    time: timeAt(),
    onError: (error) => errors.push(String(error)),
  });
  onTestFinished(() => store.close().catch(() => {}));
  const splits = () => errors.filter((error) => error.includes('two primaries'));
  // Of a try that failed, the link may be stored nevertheless, so each has an alias of its own.
  let tries = 0;
  const add = () => store.addLink(newLink(`link-${tries++}`)).catch(() => undefined);
  await addLink(store, newLink('on-both'));

  await primary.stop();
  const successor = await connectTo(standby.url('postgres'));
  await successor.query('SELECT pg_promote()');
  await expect.poll(add).toMatchObject({ kind: 'added' });
  expect(splits()).toEqual([]);

  await primary.start();
  await standby.stop();
  await expect.poll(add).toMatchObject({ kind: 'added' });
  await expect.poll(() => store.checkWritable().catch(() => 'failed')).toBeUndefined();
  expect(splits()).toEqual([
    expect.stringMatching(/is on timeline 1 and accepts changes, but was on timeline 2 before/),
  ]);
});
