import type { Account, Token } from '../../account.ts';
import { type AccountJson, fromAccountJson, toAccountJson } from '../../records/account-json.ts';
import { foldCase } from '../../records/fold-case.ts';
import type { Query, Statement } from '../database/statement.ts';
import { searchable } from '../links/link-row.ts';

export const READ_ACCOUNT: Statement = {
  name: 'read_account',
  text: 'SELECT account FROM accounts WHERE id = $1',
};
const WRITE: Statement = {
  name: 'write_account',
  text: 'UPDATE accounts SET account = $2, search_text = $3 WHERE id = $1',
};

/** What a row of `accounts` has besides its number. The text of its JSON is in `account`. */
export type AccountRow = {
  id: string;
  identity_hash: string | null;
  account: string;
  search_text: string;
};

/** What is read of a row of `accounts`. */
export type StoredAccount = { account: AccountJson };

/** What is read of a row of `tokens`. */
export type StoredToken = {
  token_hash: string;
  id: string;
  account_id: string;
  name: string;
  scope: Token['scope'];
  created: number;
  last_used_on: number | null;
};

/** The columns of `StoredToken`. */
export const STORED_TOKEN = 'token_hash, id, account_id, name, scope, created, last_used_on';

export function toAccountRow(account: Account): AccountRow {
  return {
    id: account.id,
    identity_hash: account.identityHash ?? null,
    account: JSON.stringify(toAccountJson(account)),
    search_text: searchable([account.id, account.name].map(foldCase).join('\n')),
  };
}

export function fromAccountRow({ account }: StoredAccount): Account {
  return fromAccountJson(account);
}

/** Writes an account that is locked. */
export async function writeAccount(query: Query, changed: Account): Promise<void> {
  const { id, account, search_text } = toAccountRow(changed);
  await query(WRITE, [id, account, search_text]);
}
