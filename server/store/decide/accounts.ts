import type { Account, AccountChanges } from '../account.ts';
import { changeAccount } from '../records/account-json.ts';
import { type Decision, unchanged } from './decision.ts';

/** See `Store.addAccount`. @param known the account that has the identity already */
export function addAccount(account: Account, known: Account | undefined): Decision<Account> {
  if (known) return unchanged(known);
  return { outcome: account, records: [['account', account.id, account]] };
}

/** See `Administration.editAccount`. */
export function editAccount(
  changes: AccountChanges,
  before: Account | undefined,
): Decision<Account | undefined> {
  if (!before) return unchanged(undefined);
  const account = changeAccount(before, changes);
  return { outcome: account, records: [['account', account.id, account]] };
}

/** See `Store.deleteAccount`. @param exists whether there is such an account, or links that name it */
export function deleteAccount(id: string, exists: boolean): Decision<undefined> {
  return { outcome: undefined, records: exists ? [['account', id, null]] : [] };
}
