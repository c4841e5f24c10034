import type { Client } from 'pg';
import { IDEMPOTENCY_WINDOW_MS } from '../../../../shared/limits.ts';
import { DAY_MS } from '../../../lib/durations.ts';
import type { AuditEntry } from '../../administration.ts';
import type { CopyRecord } from '../../copy-record.ts';
import { monthNumber } from '../../records/month.ts';
import type { StoreRecord } from '../../records.ts';
import { toHistoryJson } from '../../statistics/history-json.ts';
import {
  type AccountRow,
  fromAccountRow,
  fromTokenRow,
  STORED_TOKEN,
  type TokenRow,
} from '../accounts/account-row.ts';
import { PLAIN_TABLES, type PlainRow } from '../database/plain-tables.ts';
import { SECRET_NAME } from '../database/secret.ts';
import { fromKeyRow, KEYS_WITH_LINKS, type KeyRow, STORED_KEY } from '../links/key-row.ts';
import { fromLinkRow, STORED_LINK, type StoredLink } from '../links/link-row.ts';
import { type HistoryRow, sumOf } from '../statistics/history-row.ts';

const PAGE_ROWS = 1000;

/** Everything in a database, in the order of `CopySource`. @param client in a transaction */
export async function* readRecords(client: Client, now: number): AsyncGenerator<CopyRecord[]> {
  const secret = await client.query('SELECT value FROM secrets WHERE name = $1', [SECRET_NAME]);
  yield secret.rows.map(({ value }) => ['secret', '', value.toString('base64url')]);
  yield* read<AccountRow>(
    client,
    'SELECT id, account FROM accounts WHERE account IS NOT NULL ORDER BY number',
    (row) => ['account', row.id, fromAccountRow(row) ?? null],
  );
  yield* read<TokenRow>(
    client,
    `SELECT ${STORED_TOKEN} FROM tokens WHERE id <> account_id ORDER BY number`,
    (row) => ['token', row.token_hash, fromTokenRow(row)],
  );
  yield* read<TokenRow>(
    client,
    `SELECT ${STORED_TOKEN} FROM tokens WHERE last_used_on IS NOT NULL ORDER BY number`,
    (row) => ['used', row.token_hash, (row.last_used_on ?? 0) / DAY_MS],
  );
  yield* read<StoredLink>(
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
     WHERE keys.created > ${now - IDEMPOTENCY_WINDOW_MS}`,
    (row) => {
      const { original, ...key } = fromKeyRow(row);
      // Nobody gets the link of a key whose link was purged, whatever the body.
      const purged = { ...key, bodyHash: '', tokenSalt: null, original: null };
      if (row.id === null) return ['key', row.key_hash, purged];
      return ['key', row.key_hash, { ...key, original: row.is_changed ? original : null }];
    },
  );
  yield* read<{ id: string; period: string; count: number }>(
    client,
    `SELECT id, period, count::bigint FROM accounts, jsonb_each_text(besides) AS each (period, count)
     WHERE CASE period WHEN 'imports' THEN true ELSE period::integer >= ${monthNumber(now) - 1} END`,
    ({ id, period, count }) => ['use', `${id} ${period}`, count],
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
