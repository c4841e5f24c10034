import { foldSearched } from '../../../../shared/text.ts';
import type { Account, Token } from '../../account.ts';
import {
  type AccountJson,
  fromAccountJson,
  type StoredToken,
  toAccountJson,
} from '../../records/account-json.ts';
import { searchable } from '../links/link-row.ts';

/** What is read of a row of `accounts`. */
export type AccountRow = { id: string; account: AccountJson | null };

/** What is read of a row of `tokens`. */
export type TokenRow = {
  token_hash: string;
  id: string;
  account_id: string;
  name: string;
  scope: Token['scope'];
  created: number;
  last_used_on: number | null;
};

/** The columns of `TokenRow`. */
export const STORED_TOKEN = 'token_hash, tokens.id, account_id, name, scope, created, last_used_on';

/** Oldest first. */
export const LIST_TOKENS = `SELECT ${STORED_TOKEN} FROM tokens WHERE account_id = ANY ($1) ORDER BY number`;

/** Nobody can see its links afterwards; `LinkEraser` erases them. */
export const DELETE_ACCOUNT = [
  `UPDATE accounts SET account = NULL, identity_hash = NULL, search_text = NULL,
      is_deleted = true, total = 0, imported = 0, months = '{}', besides = '{}'
    WHERE id = $1`,
  'INSERT INTO accounts_to_erase (account_id) VALUES ($1)',
  'DELETE FROM tokens WHERE account_id = $1',
  // Operators make few blocks, so this reads few links.
  `DELETE FROM blocks WHERE key = 'account ' || $1 OR key LIKE 'link %' AND EXISTS (
      SELECT FROM links WHERE links.id = substr(key, 6) AND account_id = $1
    )`,
];

export function toAccountRow(account: Account) {
  return {
    id: account.id,
    identity_hash: account.identityHash ?? null,
    /** The text of its JSON. */
    account: JSON.stringify(toAccountJson(account)),
    search_text: searchable(foldSearched([account.id, account.name].join('\n'))),
  };
}

/** Undefined if it was deleted, or if only links name it. */
export function fromAccountRow({ id, account }: AccountRow): Account | undefined {
  return account ? fromAccountJson(id, account) : undefined;
}

export function fromTokenRow(row: TokenRow): StoredToken {
  const { token_hash: tokenHash, id, account_id: accountId, name, scope, created } = row;
  return { id, accountId, tokenHash, name, scope, created };
}
