import { describe, expect, test } from 'vitest';
import { dayNumber } from '../../server/lib/time.ts';
import type { Link } from '../../server/store/link.ts';
import { ChangeTransactions } from '../../server/store/postgres/changes/change-transactions.ts';
import { withConnection } from '../../server/store/postgres/database/connect.ts';
import { parseConnectionUrl } from '../../server/store/postgres/database/connection-url.ts';
import { type Query, toQueryConfig } from '../../server/store/postgres/database/session.ts';
import { eraseSome } from '../../server/store/postgres/maintenance/maintain.ts';
import { deleteAccount } from '../../server/store/rules/accounts.ts';
import { RESTORABLE_MS } from '../../shared/bounds.ts';
import {
  ADMINISTRATOR,
  addLink,
  editOf,
  NOW,
  newAccount,
  newKey,
  newLink,
} from '../store/contract.ts';
import { timeAt } from '../support/manual-time.ts';
import { connectTo, newDatabase } from './support/databases.ts';
import { openStores, withDatabase, withStore } from './support/open-stores.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The rows of a query of one column. */
async function valuesOf(url: string, text: string): Promise<unknown[]> {
  return withConnection(parseConnectionUrl(url), async (client) => {
    const { rows } = await client.query({ text, rowMode: 'array' });
    return rows.flat();
  });
}

describe('maintenance', () => {
  test('finishes the erasure of an account whose server was killed', async () => {
    const url = await newDatabase();
    const account = newAccount();
    const link = { accountId: account.id };
    const added = Array.from({ length: 1200 }, (_, index) =>
      newLink(`link-${index}`, { quota: 10_000, idempotency: newKey(), link }),
    );
    await withStore(url, async (store) => {
      await store.addAccount(account);
      const links: Link[] = [];
      // A call that waits for many others fails after seconds.
      while (added.length > 0) {
        const some = added.splice(0, 100).map((input) => addLink(store, input));
        links.push(...(await Promise.all(some)));
      }
      const edit = editOf(links[0] as Link, { alias: 'renamed' });
      expect(await store.editLink({ ...edit, quota: 10_000 })).toMatchObject({ kind: 'edited' });
    });
    // What the server did before it was killed: the erasure itself has not begun.
    await withDatabase(url, async (database) => {
      const deletion = { accountId: account.id, by: ADMINISTRATOR };
      await new ChangeTransactions(database, async () => {}).make(deleteAccount(deletion));
    });
    // Another server erases some of them at the same time.
    const next = await withConnection(parseConnectionUrl(url), async (client) => {
      const query: Query = async (text, values = []) =>
        (await client.query(toQueryConfig(text, values))).rows;
      await query('BEGIN');
      await eraseSome(query, account.id);
      const [store] = await openStores(1, url);
      const waiting = `SELECT count(*)::int FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await expect.poll(() => valuesOf(url, waiting)).toEqual([1]);
      await query('COMMIT');
      return store;
    });
    expect(await next?.findLink('link-1')).toBeUndefined();
    expect(await next?.findLink('renamed')).toBeUndefined();
    const left = () => valuesOf(url, 'SELECT account_id FROM accounts_to_erase');
    await expect.poll(left).toEqual([]);
    expect(
      await valuesOf(
        url,
        `SELECT count(*)::int FROM aliases WHERE account_id = '' AND link_id IS NULL`,
      ),
    ).toEqual([1201]);
    expect(await valuesOf(url, 'SELECT count(*)::int FROM links')).toEqual([0]);
    const keys = 'SELECT count(*)::int FROM idempotency_keys WHERE link IS NOT NULL';
    expect(await valuesOf(url, keys)).toEqual([0]);
    expect(await next?.isAliasFree('link-7', account.id)).toBe(false);
  });

  test('purges links that were deleted too long ago, and deletes what has expired', async () => {
    const url = await newDatabase();
    await withStore(url, async (store) => {
      const old = NOW - RESTORABLE_MS;
      for (const alias of ['old', 'blocked', 'new', 'kept']) {
        const link = await addLink(store, newLink(alias, { idempotency: newKey() }));
        const deletedAt = { old, blocked: old, new: NOW, kept: null }[alias] ?? null;
        await store.editLink(editOf(link, { deletedAt }));
        const block = { kind: 'link', value: link.id, reason: 'Phishing', since: NOW } as const;
        if (alias === 'blocked') await store.administration.addBlock(block);
      }
    });
    const now = NOW + 4 * DAY_MS;
    const client = await connectTo(url);
    await client.query('INSERT INTO counters VALUES ($1, 1, $2), ($3, 1, $4)', [
      ...['expired', NOW],
      ...['valid', now + MINUTE_MS],
    ]);
    // A server has run on each day before.
    const days = Array.from({ length: 32 }, (_, index) => dayNumber(now) - 32 + index);
    const noted = ['', JSON.stringify(days)];
    await client.query('DELETE FROM uptime');
    await client.query('INSERT INTO uptime VALUES ($1, $2)', noted);
    const [next] = await openStores(1, url, timeAt(now));
    const count = 'SELECT count(*)::int FROM idempotency_keys';
    // The last task of maintenance.
    await expect.poll(() => valuesOf(url, 'SELECT key FROM counters')).toEqual(['valid']);
    expect(await valuesOf(url, count)).toEqual([0]);
    expect(await next?.findLink('old')).toBeUndefined();
    expect(await next?.isAliasFree('old', 'account-1')).toBe(true);
    expect(await next?.findLink('new')).toBeDefined();
    expect(await next?.findLink('kept')).toBeDefined();
  });
});
