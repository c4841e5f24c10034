import type { Account, AccountChanges } from '../../../account.ts';
import { changeAccount, toEditJson } from '../../../records/account-json.ts';
import { type ChangeContext, commitChange, type Undecided } from '../context.ts';

/** See `Administration.editAccount`. Changes of one account wait for each other. */
export function tryToEditAccount(
  context: ChangeContext,
  id: string,
  changes: AccountChanges,
): undefined | Promise<Account | undefined> | Undecided {
  const { state, reserved } = context;
  const decided = reserved.lockDecided(id);
  if (decided) return { decided };
  const before = state.accounts.get(id);
  if (!before) return undefined;
  const account = changeAccount(before, changes);
  const edit = toEditJson(account);
  const members = `"accountEdit":${JSON.stringify(edit)}`;
  return commitChange(context, { lockId: id }, { members, retainedBytes: 0 }, () => {
    state.accounts.edit(edit);
    return account;
  });
}
