import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { RESTORABLE_MS } from '../../../../shared/bounds.ts';
import type { AuditEntry } from '../../administration.ts';
import type {
  CopyRecord,
  CopyRecordKind,
  CopyRecordOf,
  CopySource,
  CopyTarget,
} from '../../copy-record.ts';
import { type RecordValues, type StoreRecord, splitKey } from '../../records.ts';
import { KEY_KEPT_MS, toSpent } from '../../rules/add-link.ts';
import { PendingFacts } from '../../rules/change.ts';
import { firstCurrentMonth } from '../../rules/quota.ts';
import { certainTime } from '../../rules/uptime.ts';
import { fromHistoryJson, toHistoryJson } from '../../statistics/history.ts';
import { StoreOpenError } from '../../store.ts';
import { ADD_ENTRIES } from '../administration/postgres-administration.ts';
import { LockedFacts } from '../changes/locked-facts.ts';
import { writeRecords } from '../changes/write-records.ts';
import { connect, tryLock } from '../database/connect.ts';
import { parseConnectionUrl } from '../database/connection-url.ts';
import { assertMigrated, migrate } from '../database/migrate.ts';
import { SECRET_NAME } from '../database/secret.ts';
import { type Query, toQueryConfig } from '../database/session.ts';
import {
  type AccountRow,
  fromAccountRow,
  fromKeyRow,
  fromLinkRow,
  fromTokenRow,
  KEYS_WITH_LINKS,
  type KeyRow,
  type LinkRow,
  PLAIN_TABLES,
  type PlainRow,
  STORED_KEY,
  STORED_LINK,
  STORED_TOKEN,
  type TokenRow,
} from '../rows.ts';
import {
  ADD_EARLIER_VISITS,
  type HistoryRow,
  sumOf,
  toColumns,
} from '../statistics/visit-statistics.ts';

/**
 * Reads a database that no server uses, as it is at one moment.
 *
 * @param now idempotency keys that have expired by then are left out
 * @throws StoreOpenError if a server uses it, or if it has no data of this version or cannot be read
 */
export async function openDatabaseSource(url: string, now: number): Promise<CopySource> {
  const client = await connect(parseConnectionUrl(url));
  try {
    await assertMigrated(client);
    await assertUnused(client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await readDatabase(client, now, () => client.end());
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Reads the database of a connection. @param close called when it was read */
async function readDatabase(
  client: Client,
  now: number,
  close: () => Promise<void>,
): Promise<CopySource> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT (SELECT count(*) FROM links) + (SELECT count(*) FROM accounts) AS count',
  );
  return { count: rows[0]?.count ?? 0, records: () => readRecords(client, now), close };
}

/** The longest statements of a copy take seconds. */
const LEAVE_MS = 30_000;
const POLL_MS = 50;
/** The connection of a process that was killed is idle for a moment. */
const IDLE_POLLS = 20;
/** The state of another role's connection may be hidden. */
const OTHERS = `SELECT count(*) AS others,
    count(*) FILTER (WHERE state IS NULL OR state = 'idle') AS idle
  FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'curt' AND pid <> pg_backend_pid()`;

/**
 * Lets no server start before the connection ends. Waits for statements of a process that was killed: the
 * database ends its connection only after them.
 *
 * @throws StoreOpenError if another process of Curt is connected
 */
async function assertUnused(client: Client): Promise<void> {
  const deadline = performance.now() + LEAVE_MS;
  let idlePolls = 0;
  for (;;) {
    const { rows } = await client.query<{ others: number; idle: number }>(OTHERS);
    const { others = 0, idle = 0 } = rows[0] ?? {};
    if (others === 0 && (await tryLock(client))) return;
    // A server reads blocks and domains all the time, so that it always has a connection, mostly idle.
    if (idle > 0) idlePolls++;
    if (idlePolls === IDLE_POLLS || performance.now() > deadline) break;
    await setTimeout(POLL_MS);
  }
  throw new StoreOpenError(
    'A Curt server is using the database. Stop all servers that use it first.',
  );
}

const PAGE_ROWS = 1000;

/** Reads everything in a database, in the order of `CopySource`. @param client in a transaction */
async function* readRecords(client: Client, now: number): AsyncGenerator<CopyRecord[]> {
  const uptime = await client.query<PlainRow<RecordValues['uptime']>>('SELECT * FROM uptime');
  const certain = (keptMs: number) => certainTime(uptime.rows[0]?.value ?? [], now, keptMs);
  const secret = await client.query('SELECT value FROM secrets WHERE name = $1', [SECRET_NAME]);
  yield secret.rows.map(({ value }) => ['secret', '', value.toString('base64url')]);
  yield* read<AccountRow>(
    client,
    'SELECT id, account FROM accounts WHERE account IS NOT NULL ORDER BY number',
    (row) => ['account', row.id, fromAccountRow(row) ?? null],
  );
  yield* read<TokenRow>(client, `SELECT ${STORED_TOKEN} FROM tokens ORDER BY number`, (row) => [
    'token',
    row.token_hash,
    fromTokenRow(row),
  ]);
  yield* read<LinkRow>(
    client,
    `SELECT ${STORED_LINK} FROM visible_links ORDER BY created, id`,
    (row) => ['link', row.id, fromLinkRow(row)],
  );
  // Those without a link. Nobody can use those of deleted accounts.
  yield* read<{ key: string; account_id: string; is_gone: boolean }>(
    client,
    `SELECT key, aliases.account_id, accounts.is_deleted AS is_gone
     FROM aliases LEFT JOIN accounts ON accounts.id = aliases.account_id
     WHERE link_id IS NULL OR accounts.is_deleted`,
    (row) => ['alias', row.key, { accountId: row.is_gone ? '' : row.account_id }],
  );
  yield* read<KeyRow & { is_changed: boolean }>(
    client,
    `SELECT ${STORED_KEY}, keys.link::text <> links.link::text AS is_changed FROM ${KEYS_WITH_LINKS}
     WHERE keys.created > ${certain(KEY_KEPT_MS) - KEY_KEPT_MS}`,
    (row) => {
      const { original, ...key } = fromKeyRow(row);
      const known = row.is_changed && original ? { ...key, original } : key;
      return ['idempotencyKey', row.key_hash, row.id === null ? toSpent(key) : known];
    },
  );
  yield* read<{ id: string; period: string; count: number }>(
    client,
    `SELECT id, period, count::bigint FROM accounts, jsonb_each_text(quotas) AS each (period, count)
     WHERE CASE period WHEN 'imports' THEN true ELSE period::integer >= ${firstCurrentMonth(certain(RESTORABLE_MS))} END`,
    ({ id, period, count }) => ['quota', `${id} ${period}`, count],
  );
  for (const [kind, table] of PLAIN_TABLES) {
    const exists = kind === 'report' ? 'WHERE key IN (SELECT id FROM visible_links)' : '';
    yield* read<PlainRow>(
      client,
      `SELECT key, value FROM ${table} ${exists}`,
      ({ key, value }) => [kind, key, value] as StoreRecord,
    );
  }
  yield* read<{ subject: string; rows: HistoryRow[] }>(
    client,
    `SELECT subject, json_agg(json_build_object('counts', counts, 'tallies', tallies)) AS rows
     FROM visits
     LEFT JOIN visible_links ON subject = 'link ' || visible_links.id
     LEFT JOIN accounts ON subject = 'account ' || accounts.id
     WHERE CASE WHEN subject LIKE 'link %' THEN visible_links.id IS NOT NULL
           ELSE NOT coalesce(accounts.is_deleted, false) END
     GROUP BY subject`,
    ({ subject, rows }) => ['history', subject, toHistoryJson(sumOf(rows).rollUp())],
  );
  let number = 0;
  yield* read<{ entry: AuditEntry }>(
    client,
    'SELECT entry FROM audit_log ORDER BY audit_log.number',
    ({ entry }) => ['audit', String(number++), entry],
  );
}

/** The records of rows, page by page. */
async function* read<Row>(
  client: Client,
  select: string,
  toRecord: (row: Row) => CopyRecord,
): AsyncGenerator<CopyRecord[]> {
  await client.query(`DECLARE page NO SCROLL CURSOR FOR ${select}`);
  for (;;) {
    const { rows } = await client.query(`FETCH ${PAGE_ROWS} FROM page`);
    if (rows.length === 0) break;
    yield (rows as Row[]).map(toRecord);
  }
  await client.query('CLOSE page');
}

/**
 * Writes a database without data, in one transaction: a copy that is interrupted leaves nothing.
 *
 * @param now milliseconds since the epoch
 * @throws StoreOpenError if a server uses the database, if it has data, or if it cannot be written
 */
export async function openDatabaseTarget(url: string, now: number): Promise<CopyTarget> {
  const client = await connect(parseConnectionUrl(url));
  try {
    await migrate(client);
    await assertUnused(client);
    await client.query('BEGIN');
    await assertEmpty(client);
    // Of a server that was started on it once. The source may have none.
    await client.query('DELETE FROM secrets WHERE name = $1', [SECRET_NAME]);
    await client.query('DELETE FROM uptime');
    return targetOf(client, now);
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function assertEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ is_used: boolean }>(
    `SELECT EXISTS (SELECT FROM aliases) OR EXISTS (SELECT FROM accounts)
     OR EXISTS (SELECT FROM blocks) OR EXISTS (SELECT FROM domains)
     OR EXISTS (SELECT FROM audit_log) AS is_used`,
  );
  if (!rows[0]?.is_used) return;
  throw new StoreOpenError('The database has data of Curt already. Create an empty one.');
}

function targetOf(client: Client, now: number): CopyTarget {
  const query: Query = async (statement, values = []) =>
    (await client.query(toQueryConfig(statement, values))).rows;
  return {
    write: async (records) => {
      const ofKind = <Kind extends CopyRecordKind>(kind: Kind) =>
        records.filter((record): record is CopyRecordOf<Kind> => record[0] === kind);
      await writeSecret(query, ofKind('secret'));
      await writeStore(query, records.filter(isOfStore));
      await writeHistories(query, ofKind('history'));
      await writeAudit(query, ofKind('audit'));
    },
    read: async () => {
      await client.query('ANALYZE');
      return readDatabase(client, now, async () => {});
    },
    finish: async () => {
      await client.query('COMMIT');
    },
    close: () => client.end(),
  };
}

/** Nothing else has any of the records. */
async function writeStore(query: Query, records: StoreRecord[]): Promise<void> {
  if (records.length === 0) return;
  const nothing = new LockedFacts();
  const pending = new PendingFacts(nothing);
  for (const [kind, key] of records) if (kind === 'alias') nothing.aliases.set(key, undefined);
  for (const record of records) pending.add(record);
  const accounts = new Set<string>();
  for (const [kind, key, value] of records) {
    if (kind === 'quota') accounts.add(splitKey(key)[0]);
    if (kind === 'link' && value) accounts.add(value.accountId);
  }
  await query('INSERT INTO accounts (id) SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING', [
    [...accounts],
  ]);
  await writeRecords(query, pending, nothing);
}

function isOfStore(record: CopyRecord): record is StoreRecord {
  return !['secret', 'history', 'audit'].includes(record[0]);
}

async function writeSecret(query: Query, records: CopyRecordOf<'secret'>[]): Promise<void> {
  for (const [, , secret] of records) {
    await query(
      `INSERT INTO secrets (name, value) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [SECRET_NAME, Buffer.from(secret, 'base64url')],
    );
  }
}

async function writeHistories(query: Query, records: CopyRecordOf<'history'>[]): Promise<void> {
  if (records.length === 0) return;
  const subjects = records.map(([, subject]) => subject);
  // Maintenance sums them up.
  const due = records.map(() => 0);
  const histories = records.map(([, , json]) => fromHistoryJson(json));
  await query(ADD_EARLIER_VISITS, [subjects, due, ...toColumns(histories)]);
}

async function writeAudit(query: Query, records: CopyRecordOf<'audit'>[]): Promise<void> {
  if (records.length === 0) return;
  await query(ADD_ENTRIES, [records.map(([, , entry]) => JSON.stringify(entry))]);
}
