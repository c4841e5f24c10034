import type { Account } from '../../account.ts';
import { type AccountPage, type AccountQuery, InvalidPositionError } from '../../administration.ts';
import { foldCase } from '../../records/fold-case.ts';
import type { AccountTable } from '../memory/account-table.ts';
import type { TimeSlices } from './time-slices.ts';

/** A page of all accounts, newest first. @see Administration.listAccounts */
export async function listAccounts(
  accounts: AccountTable,
  { limit, after, search }: AccountQuery,
  slices: TimeSlices,
): Promise<AccountPage> {
  const wanted = foldCase(search ?? '');
  const part = JSON.stringify(wanted).slice(1, -1);
  const found: Account[] = [];
  let number = after === null ? accounts.count : accounts.numberOf(after);
  if (number === undefined) throw new InvalidPositionError();
  await slices.next();
  while (number-- > 0) {
    if (slices.isOver) await slices.next();
    // Fast, because it does not parse the account.
    if (part !== '' && !foldCase(accounts.jsonOf(number)).includes(part)) continue;
    const account = accounts.byNumber(number);
    if (!account || !isFound(account, wanted)) continue;
    if (found.length === limit) return { accounts: found, next: found.at(-1)?.id ?? null };
    found.push(account);
  }
  return { accounts: found, next: null };
}

function isFound({ id, name }: Account, wanted: string): boolean {
  return [id, name].some((text) => foldCase(text).includes(wanted));
}
