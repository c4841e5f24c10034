import type { Client } from 'pg';
import type { CopyRecord, CopyRecordKind, CopyRecordOf, CopyTarget } from '../../copy-record.ts';
import { newMonths } from '../../records/month.ts';
import { type StoreRecord, splitKey } from '../../records.ts';
import { Layer } from '../../rules/layer.ts';
import { fromHistoryJson } from '../../statistics/history-json.ts';
import { StoreOpenError } from '../../store.ts';
import { Facts } from '../changes/facts.ts';
import { writeRecords } from '../changes/write-records.ts';
import { connect } from '../database/connect.ts';
import { parseConnectionUrl } from '../database/connection-url.ts';
import { migrate } from '../database/migrate.ts';
import { SECRET_NAME } from '../database/secret.ts';
import { type Query, toQueryConfig } from '../database/statement.ts';
import { toColumns } from '../statistics/history-row.ts';
import { ADD_EARLIER_VISITS } from '../statistics/roll-up.ts';
import { assertUnused } from './assert-unused.ts';
import { readDatabase } from './database-source.ts';

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
  const nothing = new Facts();
  const layer = new Layer(nothing, newMonths());
  for (const [kind, key] of records) if (kind === 'alias') nothing.aliases.set(key, undefined);
  for (const record of records) layer.add(record);
  const accounts = new Set(layer.countChanges.keys());
  for (const [kind, key] of records) if (kind === 'use') accounts.add(splitKey(key)[0]);
  await query('INSERT INTO accounts (id) SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING', [
    [...accounts],
  ]);
  await writeRecords(query, records, layer, nothing);
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
  await query(
    `INSERT INTO audit_log (entry)
     SELECT entry::json FROM unnest($1::text[]) WITH ORDINALITY AS each (entry, index) ORDER BY index`,
    [records.map(([, , entry]) => JSON.stringify(entry))],
  );
}
