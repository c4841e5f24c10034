import type { Account, AccountChanges, AccountDeletion, Authorization } from '../account.ts';
import { changeAccount } from '../records/account-json.ts';
import { authorized } from './authorized.ts';
import { type Change, unchanged } from './change.ts';

const nothing = () => ({});

/** See `Store.addAccount`. */
export function addAccount(account: Account): Change<Account> {
  const { identityHash = '' } = account;
  return {
    needs: () => ({ identities: identityHash ? [identityHash] : [] }),
    decide: (view) => {
      const known = view.accountByIdentity(identityHash);
      if (known) return unchanged(known);
      return { outcome: account, records: [['account', account.id, account]] };
    },
  };
}

/** See `Administration.editAccount`. */
export function editAccount(
  id: string,
  changes: AccountChanges,
  by: Authorization = { kind: 'administrator' },
): Change<Account | undefined> {
  return authorized(by, id, nothing, (view) => {
    const before = view.get('account', id);
    if (!before) return unchanged(undefined);
    const account = changeAccount(before, changes);
    return { outcome: account, records: [['account', id, account]] };
  });
}

/** See `Store.deleteAccount`. */
export function deleteAccount({ accountId, by }: AccountDeletion): Change<undefined> {
  return authorized(by, accountId, nothing, (view) => {
    const hasLinks = view.counts(accountId, 0).total > 0;
    const exists = hasLinks || view.get('account', accountId) !== undefined;
    return { outcome: undefined, records: exists ? [['account', accountId, null]] : [] };
  });
}
