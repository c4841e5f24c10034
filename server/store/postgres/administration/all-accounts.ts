import type { AccountPage, AccountQuery } from '../../administration.ts';
import { foldCase } from '../../records/fold-case.ts';
import { fromAccountRow, type StoredAccount } from '../accounts/account-row.ts';
import type { Database } from '../database/database.ts';
import type { Statement } from '../database/statement.ts';
import { searchable } from '../links/link-row.ts';
import { numberOfPosition } from './positions.ts';
import { readNewestFirst } from './read-newest-first.ts';

const NUMBERS_AT_ONCE = 50_000;

const LAST: Statement = {
  name: 'last_account',
  text: 'SELECT max(number) AS number FROM accounts WHERE number < $1',
};
const LIST: Statement = {
  name: 'list_accounts',
  text: `SELECT number, account FROM accounts
    WHERE number BETWEEN $1 AND $2 AND position($3 IN search_text) > 0
    ORDER BY number DESC LIMIT $4`,
};

type Row = StoredAccount & { number: number };

/** A page of all accounts, newest first. See `Administration.listAccounts`. */
export async function listAccounts(
  database: Database,
  { limit, after, search }: AccountQuery,
): Promise<AccountPage> {
  const text = searchable(foldCase(search ?? ''));
  // One more, to know whether there are more.
  const rowsAtOnce = limit + 1;
  const rows = readNewestFirst<Row>({
    before: after === null ? null : numberOfPosition(after),
    numbersAtOnce: NUMBERS_AT_ONCE,
    rowsAtOnce,
    lastBefore: async (number) => (await database.read<Row>(LAST, [number]))[0]?.number ?? null,
    read: (first, last) => database.read<Row>(LIST, [first, last, text, rowsAtOnce]),
  });
  const page: Row[] = [];
  for await (const row of rows) {
    if (page.length === limit) return toPage(page, String(page.at(-1)?.number));
    page.push(row);
  }
  return toPage(page, null);
}

function toPage(rows: Row[], next: string | null): AccountPage {
  return { accounts: rows.map(fromAccountRow), next };
}
