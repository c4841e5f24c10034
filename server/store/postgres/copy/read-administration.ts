import type { Client } from 'pg';
import type { AuditEntry } from '../../administration.ts';
import type { Block } from '../../blocks.ts';
import type { CopyRecord } from '../../copy/copy-record.ts';
import { SECRET_NAME } from '../database/secret.ts';
import { readPages } from './read-pages.ts';

type AuditRow = { number: number; entry: AuditEntry };

export async function* readSecret(client: Client): AsyncGenerator<CopyRecord[]> {
  const { rows } = await client.query<{ value: Buffer }>(
    'SELECT value FROM secrets WHERE name = $1',
    [SECRET_NAME],
  );
  yield rows.map(({ value }) => ({ kind: 'secret', secret: value.toString('base64url') }));
}

export async function* readBlocks(client: Client): AsyncGenerator<CopyRecord[]> {
  const text = 'SELECT kind, value, reason, since FROM blocks ORDER BY since, kind, value';
  const { rows } = await client.query<Block>(text);
  yield rows.map((block) => ({ kind: 'block', block }));
}

export async function* readAudit(client: Client): AsyncGenerator<CopyRecord[]> {
  const text = 'SELECT number, entry FROM audit_log WHERE number > $1 ORDER BY number';
  const page = { text, before: -1 };
  for await (const rows of readPages(client, page, ({ number }: AuditRow) => number)) {
    yield rows.map(({ entry }) => ({ kind: 'audit', entry }));
  }
}
