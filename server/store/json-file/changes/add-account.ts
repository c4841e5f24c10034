import type { Account } from '../../account.ts';
import { toAccountJson } from '../../records/account-json.ts';
import { LINE_OVERHEAD_BYTES } from '../files/checked-line.ts';
import { type ChangeContext, commitChange, type Undecided } from './context.ts';

/** See `Store.addAccount`. */
export function tryToAddAccount(
  context: ChangeContext,
  account: Account,
): Account | Promise<Account> | Undecided {
  const { state, reserved } = context;
  const lockId = account.identityHash ?? account.id;
  const decided = reserved.lockDecided(lockId);
  if (decided) return { decided };
  const known = account.identityHash && state.accounts.findByIdentity(account.identityHash);
  if (known) return known;
  const json = toAccountJson(account);
  const members = `"account":${JSON.stringify(json)}`;
  const retainedBytes = Buffer.byteLength(members) + LINE_OVERHEAD_BYTES;
  return commitChange(context, { lockId }, { members, retainedBytes }, () => {
    state.accounts.add(json);
    return account;
  });
}
