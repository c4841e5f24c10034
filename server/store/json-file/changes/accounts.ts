import type { Account, AccountChanges } from '../../account.ts';
import { LINE_OVERHEAD_BYTES } from '../files/checked-line.ts';
import { changeAccount, toAccountJson, toEditJson } from '../memory/account-json.ts';
import { type ChangeContext, commitChange, type Undecided } from './context.ts';

/** See `Administration.addAccount`. */
export function addAccount(context: ChangeContext, account: Account): Promise<undefined> {
  const json = toAccountJson(account);
  const members = `"account":${JSON.stringify(json)}`;
  const retainedBytes = Buffer.byteLength(members) + LINE_OVERHEAD_BYTES;
  return commitChange(context, { lockId: account.id }, { members, retainedBytes }, () => {
    context.state.accounts.add(json);
    return undefined;
  });
}

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
