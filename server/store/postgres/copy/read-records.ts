import type { Client } from 'pg';
import { IDEMPOTENCY_WINDOW_MS } from '../../../../shared/limits.ts';
import { DAY_MS } from '../../../lib/durations.ts';
import type { AuditEntry } from '../../administration.ts';
import type { CopyRecord } from '../../copy-record.ts';
import { monthNumber } from '../../records/month-number.ts';
import { toHistoryJson } from '../../statistics/history-json.ts';
import {
  type AccountRow,
  fromAccountRow,
  fromTokenRow,
  STORED_TOKEN,
  type TokenRow,
} from '../accounts/account-row.ts';
import { SECRET_NAME } from '../database/secret.ts';
import { fromKeyRow, KEYS_WITH_LINKS, type KeyRow, STORED_KEY } from '../links/key-row.ts';
import { fromLinkRow, STORED_LINK, type StoredLink } from '../links/link-row.ts';
import { type HistoryRow, sumOf } from '../statistics/history-row.ts';

/** A page of a table. Its rows are in the order of `position`, which is after the last one of the page before. */
type Table<Row> = {
  columns: string;
  from: string;
  position: string;
  /** Before the first row. */
  first: string | number;
  where?: string;
  toRecords: (rows: Row[]) => CopyRecord[] | Promise<CopyRecord[]>;
};

const PAGE_ROWS = 1000;

/** Everything in a database, in the order of `CopySource`. */
export async function* readRecords(client: Client, now: number): AsyncGenerator<CopyRecord[]> {
  const secret = await client.query('SELECT value FROM secrets WHERE name = $1', [SECRET_NAME]);
  yield secret.rows.map(({ value }) => ['secret', '', value.toString('base64url')]);
  yield* read<AccountRow>(client, {
    ...{ columns: 'id, account', from: 'accounts', position: 'number', first: -1 },
    where: 'account IS NOT NULL',
    toRecords: (rows) => rows.map((row) => ['account', row.id, fromAccountRow(row) ?? null]),
  });
  yield* read<TokenRow>(client, {
    ...{ columns: STORED_TOKEN, from: 'tokens', position: 'number', first: -1 },
    where: 'id <> account_id',
    toRecords: (rows) => rows.map((row) => ['token', row.token_hash, fromTokenRow(row)]),
  });
  yield* read<TokenRow>(client, {
    ...{ columns: STORED_TOKEN, from: 'tokens', position: 'number', first: -1 },
    where: 'last_used_on IS NOT NULL',
    toRecords: (rows) =>
      rows.map((row) => ['used', row.token_hash, (row.last_used_on ?? 0) / DAY_MS]),
  });
  yield* read<StoredLink>(client, {
    ...{ columns: STORED_LINK, from: 'visible_links', position: 'id', first: '' },
    toRecords: (rows) => rows.map((row) => ['link', row.id, fromLinkRow(row)]),
  });
  yield* readAliases(client);
  yield* read<KeyRow & { is_changed: boolean }>(client, {
    columns: `${STORED_KEY}, keys.link::text <> links.link::text AS is_changed`,
    ...{ from: KEYS_WITH_LINKS, position: 'key_hash', first: '' },
    where: `keys.created > ${now - IDEMPOTENCY_WINDOW_MS}`,
    toRecords: (rows) =>
      rows.map((row) => {
        const { original, ...key } = fromKeyRow(row);
        // Nobody gets the link of a key whose link was purged, whatever the body.
        const purged = { ...key, bodyHash: '', tokenSalt: null, original: null };
        if (row.id === null) return ['key', row.key_hash, purged];
        return ['key', row.key_hash, { ...key, original: row.is_changed ? original : null }];
      }),
  });
  yield* readUses(client, monthNumber(now));
  yield* read<{ key: string; reason: string; since: number }>(client, {
    ...{ columns: 'key, reason, since', from: 'blocks', position: 'key', first: '' },
    toRecords: (rows) => rows.map(({ key, reason, since }) => ['block', key, { reason, since }]),
  });
  yield* readHistories(client);
  let number = 0;
  yield* read<{ entry: AuditEntry }>(client, {
    ...{ columns: 'entry', from: 'audit_log', position: 'number', first: -1 },
    toRecords: (rows) => rows.map(({ entry }) => ['audit', String(number++), entry]),
  });
}

/** Those without a link. Nobody can use those of deleted accounts. */
function readAliases(client: Client): AsyncGenerator<CopyRecord[]> {
  return read<{ key: string; account_id: string; is_gone: boolean }>(client, {
    columns: 'key, aliases.account_id, accounts.is_deleted AS is_gone',
    from: 'aliases LEFT JOIN accounts ON accounts.id = aliases.account_id',
    ...{ position: 'key', first: '' },
    where: 'link_id IS NULL OR accounts.is_deleted',
    toRecords: (rows) =>
      rows.map((row) => ['alias', row.key, { accountId: row.is_gone ? '' : row.account_id }]),
  });
}

function readUses(client: Client, since: number): AsyncGenerator<CopyRecord[]> {
  return read<{ id: string; besides: Record<string, number> }>(client, {
    ...{ columns: 'id, besides', from: 'accounts', position: 'id', first: '' },
    where: `besides <> '{}'`,
    toRecords: (rows) =>
      rows.flatMap(({ id, besides }) =>
        Object.entries(besides)
          .filter(([period]) => period === 'imports' || Number(period) >= since)
          .map(([period, count]): CopyRecord => ['use', `${id} ${period}`, count]),
      ),
  });
}

function readHistories(client: Client): AsyncGenerator<CopyRecord[]> {
  return read<{ subject: string; rows: HistoryRow[] }>(client, {
    columns: 'subject, rows',
    from: `(
        SELECT subject, json_agg(json_build_object('counts', counts, 'tallies', tallies)) AS rows
        FROM visits GROUP BY subject
      ) AS subjects
      LEFT JOIN visible_links ON subject = 'link ' || visible_links.id LEFT JOIN accounts ON subject = 'account ' || accounts.id`,
    ...{ position: 'subject', first: '' },
    where: 'visible_links.id IS NOT NULL OR NOT coalesce(accounts.is_deleted, false)',
    toRecords: (all) =>
      all.map(({ subject, rows }) => ['history', subject, toHistoryJson(sumOf(rows).rollUp())]),
  });
}

async function* read<Row>(
  client: Client,
  { columns, from, position, first, where = 'true', toRecords }: Table<Row>,
): AsyncGenerator<CopyRecord[]> {
  const text = `SELECT ${columns}, ${position} AS position FROM ${from}
    WHERE ${position} > $1 AND (${where}) ORDER BY ${position} LIMIT ${PAGE_ROWS}`;
  let last = first;
  for (;;) {
    const { rows } = await client.query(text, [last]);
    if (rows.length === 0) return;
    yield await toRecords(rows as Row[]);
    last = rows.at(-1)?.position;
  }
}
