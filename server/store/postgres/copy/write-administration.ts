import type { CopyRecordOf } from '../../copy/copy-record.ts';
import { SECRET_NAME } from '../database/secret.ts';
import type { Query } from '../database/statement.ts';

export async function writeSecret(query: Query, records: CopyRecordOf<'secret'>[]): Promise<void> {
  for (const { secret } of records) {
    await query(
      `INSERT INTO secrets (name, value) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [SECRET_NAME, Buffer.from(secret, 'base64url')],
    );
  }
}

export async function writeBlocks(query: Query, records: CopyRecordOf<'block'>[]): Promise<void> {
  if (records.length === 0) return;
  await query(
    `INSERT INTO blocks (kind, value, reason, since)
     SELECT * FROM json_to_recordset($1) AS each (kind text, value text, reason text, since bigint)`,
    [JSON.stringify(records.map(({ block }) => block))],
  );
}

export async function writeAudit(query: Query, records: CopyRecordOf<'audit'>[]): Promise<void> {
  if (records.length === 0) return;
  await query(
    `INSERT INTO audit_log (entry)
     SELECT entry::json FROM unnest($1::text[]) WITH ORDINALITY AS each (entry, place) ORDER BY place`,
    [records.map(({ entry }) => JSON.stringify(entry))],
  );
}
