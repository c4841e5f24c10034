import { DAY_MS } from '../../../core/durations.ts';
import type { CopyRecordOf } from '../../copy/copy-record.ts';
import { fromAccountJson } from '../../records/account-json.ts';
import { toAccountRow } from '../accounts/account-row.ts';
import type { Query } from '../database/statement.ts';

const ADD_TOKENS = `
  INSERT INTO tokens (token_hash, id, account_id, name, scope, created, last_used_on)
  SELECT token_hash, id, account_id, name, scope, created, last_used_on
  FROM json_to_recordset($1) AS each (
    place integer, token_hash text, id text, account_id text, name text, scope text, created bigint,
    last_used_on bigint
  ) ORDER BY place`;

/** Accounts with their first tokens. */
export async function writeAccounts(
  query: Query,
  records: CopyRecordOf<'account'>[],
): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map(({ account }, place) => {
    return { place, ...toAccountRow(fromAccountJson(account)) };
  });
  await query(
    `INSERT INTO accounts (id, identity_hash, account, search_text)
     SELECT id, identity_hash, account::json, search_text
     FROM json_to_recordset($1) AS each (
       place integer, id text, identity_hash text, account text, search_text text
     ) ORDER BY place`,
    [JSON.stringify(rows)],
  );
  const first = records.flatMap(({ account }, place) => {
    const { id, tokenHash, created, usedOn } = account;
    if (!tokenHash) return [];
    const token = { token_hash: tokenHash, id, account_id: id, name: '', scope: 'all', created };
    return [{ place, ...token, last_used_on: toTime(usedOn) }];
  });
  await query(ADD_TOKENS, [JSON.stringify(first)]);
}

/** Further tokens. */
export async function writeTokens(query: Query, records: CopyRecordOf<'token'>[]): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map(({ token }, place) => {
    const { id, accountId, tokenHash, name = '', scope = 'all', created, usedOn } = token;
    return {
      ...{ place, token_hash: tokenHash, id, account_id: accountId, name, scope, created },
      last_used_on: toTime(usedOn),
    };
  });
  await query(ADD_TOKENS, [JSON.stringify(rows)]);
}

function toTime(day: number | undefined): number | null {
  return day === undefined ? null : day * DAY_MS;
}
