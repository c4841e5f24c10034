import { foldSearched } from '../../../../shared/text.ts';
import type { Account } from '../../account.ts';
import { type AccountPage, type AccountQuery, InvalidPositionError } from '../../administration.ts';
import { type AccountRow, fromAccountRow } from '../accounts/account-row.ts';
import type { Database } from '../database/database.ts';
import { searchable } from '../links/link-row.ts';

/** Accounts that one statement looks at, so that none takes long however few it finds. */
const ACCOUNTS_AT_ONCE = 50_000;

const LAST_OF_PART = `SELECT number FROM accounts WHERE account IS NOT NULL AND number < $1
    ORDER BY number DESC OFFSET ${ACCOUNTS_AT_ONCE - 1} LIMIT 1`;
const LIST = `SELECT number, id, account FROM accounts
    WHERE account IS NOT NULL AND number >= $1 AND number < $2 AND position($3 IN search_text) > 0
    ORDER BY number DESC LIMIT $4`;

type Row = AccountRow & { number: number };

/** A page of all accounts, newest first. See `Administration.listAccounts`. */
export async function listAccounts(
  database: Database,
  { limit, after, search }: AccountQuery,
): Promise<AccountPage> {
  const text = searchable(foldSearched(search ?? ''));
  const rows: Row[] = [];
  let before = after === null ? Number.MAX_SAFE_INTEGER : parseNumber(after);
  // One more, to know whether there are more.
  while (rows.length <= limit) {
    const [last] = await database.read<Row>(LAST_OF_PART, [before]);
    const first = last?.number ?? 0;
    rows.push(...(await database.read<Row>(LIST, [first, before, text, limit + 1 - rows.length])));
    if (!last) break;
    before = first;
  }
  const page = rows.slice(0, limit);
  return {
    accounts: page.flatMap((row): Account[] => [fromAccountRow(row) ?? []].flat()),
    next: rows.length > limit ? String(page.at(-1)?.number) : null,
  };
}

/** Reads a position: the number of the last row of a page. @throws InvalidPositionError */
export function parseNumber(position: string): number {
  if (!/^\d{1,15}$/.test(position)) throw new InvalidPositionError();
  return Number(position);
}
