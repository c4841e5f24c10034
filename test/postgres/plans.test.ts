import { describe, expect, test } from 'vitest';
import { READ_ACCOUNT } from '../../server/store/postgres/accounts/account-row.ts';
import { LOCK_ACCOUNT } from '../../server/store/postgres/accounts/lock-account.ts';
import { FIND_TOKEN } from '../../server/store/postgres/accounts/tokens.ts';
import type { Statement } from '../../server/store/postgres/database/statement.ts';
import { ADD_HITS } from '../../server/store/postgres/links/hit-counter.ts';
import { ADD_LINKS, toCallRow } from '../../server/store/postgres/links/link-adder.ts';
import { FIND_LINK } from '../../server/store/postgres/links/link-reader.ts';
import { TAKE_VISITS } from '../../server/store/postgres/links/visit-taker.ts';
import { newKey, newLink } from '../store/contract.ts';
import { connectTo, newDatabase } from './support/databases.ts';

/** Rows of each table, so that reading a whole table is not the fastest way. */
const ROWS = 20_000;

describe('a statement that a visit or a new link waits for', () => {
  test('finds a link by one row of one index', async () => {
    const database = await connectTo(await newFullDatabase());
    const { rows } = await database.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${FIND_LINK.text}`, [
      'link-77',
    ]);
    expect(rows[0]['QUERY PLAN'][0].Plan).toMatchObject({
      'Node Type': 'Index Scan',
      'Index Name': 'aliases_pkey',
      'Actual Rows': 1,
    });
    expect(rows[0]['QUERY PLAN'][0].Plan).not.toHaveProperty('Plans');
  });

  test('adds a link by one row of one index of each table', async () => {
    const url = await newFullDatabase();
    const input = newLink('new', { idempotency: newKey() });
    const newCall = { newLink: input, link: { ...input.link, alias: 'new' } };
    const values = ['account-5', null, JSON.stringify([toCallRow(newCall, 0)])];
    expect(await readsOf(url, ADD_LINKS, values)).toEqual([
      // Locked, then counted.
      { table: 'account_links', sequential: 0, byIndex: 2, rows: 2 },
      { table: 'aliases', sequential: 0, byIndex: 1, rows: 0 },
      { table: 'idempotency_keys', sequential: 0, byIndex: 1, rows: 0 },
    ]);
  });

  test('locks an account, and finds what authorizes a change, by one row of one index each', async () => {
    const url = await newFullDatabase();
    const once = { sequential: 0, byIndex: 1, rows: 1 };
    expect(await readsOf(url, LOCK_ACCOUNT, ['account-77', ['hash-77']])).toEqual([
      { table: 'account_links', sequential: 0, byIndex: 1, rows: 1 },
      { table: 'accounts', ...once },
      // Operators make few blocks: here, there is none.
      { table: 'blocks', sequential: 1, byIndex: 0, rows: 0 },
      { table: 'tokens', ...once },
    ]);
  });

  test('counts hits and visits by one row of one index', async () => {
    const url = await newFullDatabase();
    const once = [{ table: 'aliases', sequential: 0, byIndex: 1, rows: 1 }];
    const hits = [['link-77'], ['id-77'], [2]];
    expect(await readsOf(url, ADD_HITS, hits)).toEqual(once);
    const visit = ['link-77', 'id-77', 1];
    expect(await readsOf(url, TAKE_VISITS, visit)).toEqual([
      { table: 'account_links', sequential: 0, byIndex: 1, rows: 1 },
      { table: 'aliases', sequential: 0, byIndex: 2, rows: 2 },
    ]);
  });

  test('finds a token and its account by one row of one index each', async () => {
    const url = await newFullDatabase();
    const once = { sequential: 0, byIndex: 1, rows: 1 };
    expect(await readsOf(url, FIND_TOKEN, ['hash-77'])).toEqual([{ table: 'tokens', ...once }]);
    expect(await readsOf(url, READ_ACCOUNT, ['account-77'])).toEqual([
      { table: 'accounts', ...once },
    ]);
  });
});

async function newFullDatabase(): Promise<string> {
  const url = await newDatabase();
  const database = await connectTo(url);
  await database.query(`
    INSERT INTO account_links (account_id) SELECT 'account-' || n FROM generate_series(1, ${ROWS}) n;
    INSERT INTO aliases (
      key, account_id, id, number, created, hits, link, reversed_host, search_text, tags
    ) SELECT 'link-' || n, 'account-' || n, 'id-' || n, n, n, 0, '{}', 'com.example.', '', '{}'
    FROM generate_series(1, ${ROWS}) n;
    INSERT INTO idempotency_keys (key_hash, body_hash, link_id, account_id, created)
    SELECT 'key-' || n, '', 'id-' || n, 'account-' || n, 0 FROM generate_series(1, ${ROWS}) n;
    INSERT INTO accounts (id, account, search_text)
    SELECT 'account-' || n, '{}', '' FROM generate_series(1, ${ROWS}) n;
    INSERT INTO tokens (token_hash, id, account_id, name, scope, created)
    SELECT 'hash-' || n, 'account-' || n, 'account-' || n, '', 'all', 0
    FROM generate_series(1, ${ROWS}) n;
    ANALYZE;
  `);
  return url;
}

/** How many scans of each table a statement makes, and how many rows they read. */
async function readsOf(url: string, { text }: Statement, values: unknown[]) {
  // The figures are those of a connection.
  const database = await connectTo(url);
  await database.query('BEGIN');
  const { rows: results } = await database.query(text, values);
  expect(results).toHaveLength(1);
  const { rows } = await database.query(`
    SELECT relname::text AS "table", seq_scan::int AS sequential, idx_scan::int AS "byIndex",
      (seq_tup_read + idx_tup_fetch)::int AS rows
    FROM pg_stat_xact_user_tables WHERE seq_scan + idx_scan > 0 ORDER BY relname`);
  await database.query('ROLLBACK');
  return rows;
}
