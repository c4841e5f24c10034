import type { Client } from 'pg';
import { DAY_MS } from '../../../core/durations.ts';
import type { CopyRecord } from '../../copy/copy-record.ts';
import { type AccountJson, toTokenJson } from '../../records/account-json.ts';
import { STORED_TOKEN, type StoredToken } from '../accounts/account-row.ts';
import { readPages } from './read-pages.ts';

type AccountRow = { number: number; account: AccountJson; last_used_on: number | null };

type TokenRow = StoredToken & { number: number };

const ACCOUNTS = `
  SELECT accounts.number, account, last_used_on
  FROM accounts LEFT JOIN tokens ON tokens.account_id = accounts.id AND tokens.id = accounts.id
  WHERE accounts.number > $1 ORDER BY accounts.number`;
const TOKENS = `
  SELECT number, ${STORED_TOKEN} FROM tokens
  WHERE id <> account_id AND number > $1 ORDER BY number`;

export async function* readAccounts(client: Client): AsyncGenerator<CopyRecord[]> {
  const page = { text: ACCOUNTS, before: -1 };
  for await (const rows of readPages(client, page, ({ number }: AccountRow) => number)) {
    yield rows.map(({ account, last_used_on }) => {
      return { kind: 'account', account: { ...account, ...usedOn(last_used_on) } };
    });
  }
}

/** Further tokens. The first ones are part of their accounts. */
export async function* readTokens(client: Client): AsyncGenerator<CopyRecord[]> {
  const page = { text: TOKENS, before: -1 };
  for await (const rows of readPages(client, page, ({ number }: TokenRow) => number)) {
    yield rows.map((row) => {
      const { id, name, scope, created, account_id: accountId, token_hash: tokenHash } = row;
      const token = { id, accountId, tokenHash, name, scope, created, lastUsedOn: null };
      return { kind: 'token', token: { ...toTokenJson(token), ...usedOn(row.last_used_on) } };
    });
  }
}

/** As the number of a day. */
function usedOn(time: number | null): { usedOn?: number } {
  return time === null ? {} : { usedOn: time / DAY_MS };
}
