import { describe, expect, test } from 'vitest';
import { FIND_TOKEN, FIND_TOKEN_HASH } from '../../server/store/postgres/accounts/tokens.ts';
import { LockedFacts } from '../../server/store/postgres/changes/locked-facts.ts';
import { writeRecords } from '../../server/store/postgres/changes/write-records.ts';
import { type Query, toQueryConfig } from '../../server/store/postgres/database/session.ts';
import { ADD_HITS } from '../../server/store/postgres/links/hit-counter.ts';
import { FIND_LINK } from '../../server/store/postgres/links/link-finder.ts';
import { selectNewest } from '../../server/store/postgres/links/link-lists.ts';
import { addLink } from '../../server/store/rules/add-link.ts';
import { PendingFacts } from '../../server/store/rules/change.ts';
import { countVisit } from '../../server/store/rules/edit-link.ts';
import { newKey, newLink } from '../store/contract.ts';
import { connectTo, newDatabase } from './support/databases.ts';

/** Rows of each table, so that reading a whole table is not the fastest way. */
const ROWS = 20_000;

describe('a statement that a visit or a new link waits for', () => {
  test('finds a link by one row of one index of each table', async () => {
    const url = await newFullDatabase();
    const reads = await readsOf(url, (query) => query(FIND_LINK, ['link-77']));
    expect(reads).toEqual([
      { table: 'aliases', sequential: 0, byIndex: 1, rows: 1 },
      { table: 'links', sequential: 0, byIndex: 1, rows: 1 },
    ]);
  });

  test('adds a link by one row of one index of each table', async () => {
    const url = await newFullDatabase();
    const idempotency = newKey();
    const change = addLink(newLink('new', { idempotency, link: { accountId: 'account-5' } }));
    const needs = { ...change.needs(), newAccounts: [] };
    const add = async (query: Query) => {
      const facts = await LockedFacts.load(query, needs);
      const pending = new PendingFacts(facts);
      const { outcome, records } = change.decide(pending);
      expect(outcome.kind).toBe('added');
      for (const record of records) pending.add(record);
      await writeRecords(query, pending, facts);
    };
    expect(await readsOf(url, add)).toEqual([
      // Locked, then counted.
      { table: 'accounts', sequential: 0, byIndex: 2, rows: 2 },
      { table: 'aliases', sequential: 0, byIndex: 1, rows: 0 },
      { table: 'idempotency_keys', sequential: 0, byIndex: 1, rows: 0 },
      // As it is after the call, for the key.
      { table: 'links', sequential: 0, byIndex: 1, rows: 1 },
    ]);
  });

  test('counts hits and visits by one row of one index', async () => {
    const url = await newFullDatabase();
    // Locked, then counted.
    const twice = [{ table: 'links', sequential: 0, byIndex: 2, rows: 2 }];
    expect(await readsOf(url, (query) => query(ADD_HITS, [['id-77'], [2]]))).toEqual(twice);
    const visit = async (query: Query) => {
      const facts = await LockedFacts.load(query, { accounts: [], visitedLinks: ['id-77'] });
      const { outcome, records } = countVisit(facts.get('link', 'id-77'));
      expect(outcome).toBe(true);
      const pending = new PendingFacts(facts);
      for (const record of records) pending.add(record);
      await writeRecords(query, pending, facts);
    };
    expect(await readsOf(url, visit)).toEqual(twice);
  });

  test('finds a link by its URL among all of its account by one row of one index', async () => {
    const url = await newFullDatabase();
    const database = await connectTo(url);
    await database.query(`
      UPDATE links SET account_id = 'one', search_text = 'link-' || created || E'\\nhttps://example.com/' || created;
      ANALYZE;
    `);
    const originalUrl = 'https://example.com/77';
    const conditions = { accountId: 'one', host: null, search: '', tag: null, originalUrl };
    const { statement, values } = selectNewest(conditions, { before: null, limit: ROWS });
    expect(await readsOf(url, (query) => query(statement, values))).toEqual([
      { table: 'links', sequential: 0, byIndex: 1, rows: 1 },
    ]);
  });

  test('finds a token and its account by one row of one index each', async () => {
    const url = await newFullDatabase();
    const once = { sequential: 0, byIndex: 1, rows: 1 };
    const found = [
      { table: 'accounts', ...once },
      { table: 'tokens', ...once },
    ];
    expect(await readsOf(url, (query) => query(FIND_TOKEN, ['hash-77']))).toEqual(found);
    const range = ['hash-7777', 'hash-7777~'];
    expect(await readsOf(url, (query) => query(FIND_TOKEN_HASH, range))).toEqual(found);
  });
});

async function newFullDatabase(): Promise<string> {
  const url = await newDatabase();
  const database = await connectTo(url);
  await database.query(`
    INSERT INTO accounts (id, account, search_text)
    SELECT 'account-' || n, '{}', '' FROM generate_series(1, ${ROWS}) n;
    INSERT INTO links (
      id, account_id, created, hits, link, reversed_host, alias_order, search_text, tags
    ) SELECT 'id-' || n, 'account-' || n, n, 0, '{}', 'com.example.', '', '', '{}'
    FROM generate_series(1, ${ROWS}) n;
    INSERT INTO aliases (key, account_id, link_id)
    SELECT 'link-' || n, 'account-' || n, 'id-' || n FROM generate_series(1, ${ROWS}) n;
    INSERT INTO idempotency_keys (key_hash, body_hash, link_id, created)
    SELECT 'key-' || n, '', 'id-' || n, 0 FROM generate_series(1, ${ROWS}) n;
    INSERT INTO tokens (token_hash, account_id, token)
    SELECT 'hash-' || n, 'account-' || n, '{}' FROM generate_series(1, ${ROWS}) n;
    ANALYZE;
  `);
  return url;
}

/** How many scans of each table statements make, and how many rows they read. */
async function readsOf(url: string, run: (query: Query) => Promise<unknown>) {
  // The figures are those of a connection. Statements are sent at once, as a server does.
  const database = await connectTo(url, { pipeline: true });
  // As in a server that has used the statements for a while: planning looks at the ends of indexes.
  await database.query('SET plan_cache_mode = force_generic_plan');
  const query: Query = async (statement, values = []) =>
    (await database.query(toQueryConfig(statement, values))).rows;
  await database.query('BEGIN');
  await run(query);
  await database.query('ROLLBACK');
  await database.query('SELECT pg_stat_force_next_flush()');
  await database.query('BEGIN');
  await run(query);
  const { rows } = await database.query(`
    SELECT relname::text AS "table", seq_scan::int AS sequential, idx_scan::int AS "byIndex",
      (seq_tup_read + idx_tup_fetch)::int AS rows
    FROM pg_stat_xact_user_tables
    WHERE seq_scan + idx_scan > 0 AND relname <> 'accounts_to_erase' ORDER BY relname`);
  await database.query('ROLLBACK');
  return rows;
}
