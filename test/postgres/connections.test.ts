import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Link } from '../../server/store/link.ts';
import { connect } from '../../server/store/postgres/database/connect.ts';
import { parseConnectionUrl } from '../../server/store/postgres/database/connection-url.ts';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import type { Store } from '../../server/store/store.ts';
import { addLink, editOf, newLink } from '../store/contract.ts';
import { timeAt } from '../support/manual-time.ts';
import { connectTo, newDatabase } from './support/databases.ts';
import { openStores, withDatabase } from './support/open-stores.ts';

const LIST = { limit: 1, after: null, search: null, tag: null };
/** Lists by it read the table `visits`, which nothing else here reads. */
const BY_LAST_VISIT = { ...LIST, sort: 'lastVisit' } as const;

describe('while lists hang', () => {
  /**
   * A store with links of several accounts that it has not in memory, and lists that wait for a lock.
   *
   * @returns `most`: of these lists in the database at a time, when all are over
   */
  async function withHangingLists(accounts: number, listsOfEach: number) {
    const url = await newDatabase();
    const [writer, store] = [await openTolerant(url), await openTolerant(url)];
    const links: Link[] = [];
    for (let index = 0; index < accounts; index++) {
      const link = { accountId: `account-${index}` };
      links.push(await addLink(writer, newLink(`link-${index}`, { link })));
    }
    const [blocker, reader] = [await connectTo(url), await connectTo(url)];
    await blocker.query('BEGIN; LOCK TABLE visits');
    let isOver = false;
    const lists = links.flatMap(({ accountId }) =>
      Array.from({ length: listsOfEach }, () => store.listLinks({ ...BY_LAST_VISIT, accountId })),
    );
    const results = Promise.allSettled(lists).finally(() => {
      isOver = true;
    });
    const countMost = async () => {
      let most = 0;
      while (!isOver) most = Math.max(most, await countLists(reader));
      return most;
    };
    return { store, links, results, most: countMost() };
  }

  test('one account uses two connections, gets busy soon, and all others go on', async () => {
    const { store, results, most } = await withHangingLists(1, 50);
    const visits = Array.from({ length: 20 }, () => store.findLink('link-0'));
    for (const link of await Promise.all(visits)) expect(link).toMatchObject({ alias: 'link-0' });
    expect(await store.listLinks({ ...LIST, accountId: 'other' })).toMatchObject({ links: [] });
    for (const result of await results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'busy' } });
    }
    expect(await most).toBeLessThanOrEqual(2);
  });

  test('many accounts leave connections to visits and changes', async () => {
    const { store, links, results, most } = await withHangingLists(20, 2);
    const visits = links.map(({ alias }) => store.findLink(alias));
    expect(await Promise.all(visits)).toMatchObject(links.map(({ alias }) => ({ alias })));
    const [first] = links;
    if (!first) throw new Error('there are links');
    expect(await store.editLink(editOf(first, { title: 'new' }))).toMatchObject({ kind: 'edited' });
    for (const result of await results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'busy' } });
    }
    // Half of the eight that visits do not have for themselves.
    expect(await most).toBeLessThanOrEqual(4);
  });
});

test('lists and changes have each their own time limit, and what goes on with a file has none', async () => {
  const url = await newDatabase();
  const store = await openTolerant(`${url}?pool_size=3`);
  const link = await addLink(store, newLink('one'));
  const blocker = await connectTo(url);
  const list = () => store.listLinks({ ...BY_LAST_VISIT, accountId: link.accountId });
  await list();
  await blocker.query('BEGIN; LOCK TABLE visits');
  const { accountId } = link;
  const ofFile = store.listLinks({ ...BY_LAST_VISIT, accountId, waits: true });
  await expect(list()).rejects.toMatchObject({ code: 'busy' });
  await blocker.query('ROLLBACK; BEGIN; SELECT FROM links FOR UPDATE');
  const edited = store.editLink(editOf(link, { title: 'new' }));
  await expect(edited).rejects.toThrow(/statement timeout/);
  await blocker.query('ROLLBACK');
  expect((await list()).links).toHaveLength(1);
  expect((await ofFile).links).toHaveLength(1);
});

test('a server whose role has fewer connections than its pool uses those, and says so once', async () => {
  const url = new URL(await newDatabase());
  const [writer] = await openStores(1, url.href);
  if (!writer) throw new Error('there is a store');
  const aliases = Array.from({ length: 40 }, (_, index) => `link-${index}`);
  await Promise.all(aliases.map((alias) => addLink(writer, newLink(alias))));
  const administrator = await connectTo(url.href);
  const role = await newRole(administrator, 5);
  url.username = role;
  const errors: Error[] = [];
  const store = await openPostgresStore(url.href, {
    time: timeAt(),
    onError: (error) => errors.push(error as Error),
  });
  onTestFinished(() => store.close());
  for (let round = 0; round < 3; round++) {
    const found = await Promise.all([
      ...aliases.map((alias) => store.findLink(alias)),
      ...aliases.map((alias) => store.isAliasFree(alias)),
    ]);
    expect(found.slice(0, 40)).toMatchObject(aliases.map((alias) => ({ alias })));
  }
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /fewer connections than the 10 of pool_size \(too many connections for role "\w+"\)/,
    ),
  ]);
});

test('time limits of the role or the database neither end idle connections nor cut off long copies', async () => {
  const url = await newDatabase();
  const administrator = await connectTo(url);
  const { pathname } = new URL(url);
  const names = ['statement', 'lock', 'transaction', 'idle_in_transaction_session', 'idle_session'];
  const options = names.map((name) => `-c ${name}_timeout=1h`).join(' ');
  const limited = `${url}?options=${encodeURIComponent(options)}`;
  await administrator.query(`ALTER DATABASE ${pathname.slice(1)} SET idle_session_timeout = '1h'`);
  const READ = `SELECT name, setting FROM pg_settings WHERE name LIKE '%\\_timeout' AND setting <> '0'
    AND substr(name, 1, length(name) - 8) = ANY ($1) ORDER BY name`;
  for (const each of [url, limited]) {
    const client = await connect(parseConnectionUrl(each));
    onTestFinished(() => client.end());
    expect((await client.query(READ, [names])).rows).toEqual([]);
    expect(await withDatabase(each, (database) => database.read(READ, [names]))).toEqual([
      { name: 'idle_in_transaction_session_timeout', setting: '4000' },
      { name: 'statement_timeout', setting: '3000' },
    ]);
  }
});

/** A role without rights of an administrator, which can use Curt's tables. */
async function newRole(administrator: pg.Client, connections: number): Promise<string> {
  const role = `curt_${randomBytes(4).toString('hex')}`;
  await administrator.query(`
    CREATE ROLE ${role} LOGIN PASSWORD 'curt-test' CONNECTION LIMIT ${connections};
    GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role};
    GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role};
  `);
  onTestFinished(async () => {
    await administrator.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });
  return role;
}

/** A store whose maintenance may fail, which needs the same tables and connections. */
async function openTolerant(url: string): Promise<Store> {
  const store = await openPostgresStore(url, { time: timeAt(), onError: () => {} });
  onTestFinished(() => store.close());
  return store;
}

/** Lists that wait for a lock. */
async function countLists(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%AS keyed%'`,
  );
  return rows[0]?.count;
}
