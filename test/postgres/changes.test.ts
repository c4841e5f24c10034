import { expect, test } from 'vitest';
import { ChangeTransactions } from '../../server/store/postgres/changes/change-transactions.ts';
import { addLink, newAccount, newLink } from '../store/contract.ts';
import { connectTo, newDatabase } from './support/databases.ts';
import { withDatabase, withStore } from './support/open-stores.ts';

/** The transactions that `Changes` makes at a time. */
const TRANSACTIONS = 4;

test('changes of one and of two accounts that another server has locked are made once it is done', async () => {
  const url = await newDatabase();
  const [one, two, ...others] = Array.from({ length: 2 + TRANSACTIONS }, newAccount);
  if (!one || !two) throw new Error('there must be accounts');
  await withStore(url, async (store) => {
    for (const account of [one, two, ...others]) await store.addAccount(account);
  });
  const [blocker, other] = [await connectTo(url), await connectTo(url)];
  const lock = async (client: typeof other, accounts: { id: string }[]) => {
    const ids = accounts.map(({ id }) => id);
    await client.query('BEGIN');
    await client.query('SELECT FROM accounts WHERE id = ANY ($1) FOR UPDATE', [ids]);
  };
  const waiting = async (count: number) => {
    const text = `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    const read = async () => (await other.query(text)).rows[0].count;
    await expect.poll(read).toBe(count);
  };
  await withDatabase(url, async (database) => {
    const changes = new ChangeTransactions(database, async () => {});
    const made: string[] = [];
    const change = (name: string, ...accounts: { id: string }[]) =>
      changes.make({
        needs: () => ({ accounts: accounts.map(({ id }) => id) }),
        decide: () => {
          made.push(name);
          return { outcome: undefined, records: [] };
        },
      });
    // All transactions are under way, so that the changes of the others wait together.
    await lock(blocker, others);
    const before = others.map((account) => change('before', account));
    await waiting(TRANSACTIONS);
    await lock(other, [one]);
    const both = [change('first', one), change('second', one, two), change('third', two)];
    await blocker.query('COMMIT');
    await Promise.all(before);
    await waiting(1);
    await other.query('COMMIT');
    await Promise.all(both);
    expect(made.slice(TRANSACTIONS)).toEqual(['first', 'second', 'third']);
    expect(changes.pendingCount).toBe(0);
  });
});

test('a link that is not added leaves nothing of its new account', async () => {
  const url = await newDatabase();
  await withStore(url, async (store) => {
    await addLink(store, newLink('taken', { newAccount: newAccount() }));
    const account = newAccount();
    const input = newLink('taken', { newAccount: account, link: { accountId: account.id } });
    expect((await store.addLink(input)).kind).toBe('alias_taken');
  });
  const database = await connectTo(url);
  const { rows } = await database.query('SELECT total FROM accounts ORDER BY total');
  expect(rows).toEqual([{ total: '0' }, { total: '1' }]);
});
