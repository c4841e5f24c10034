import type { Authorization } from '../../account.ts';
import { authorize } from '../../decide/authorize.ts';
import type { State } from '../memory/state.ts';

/**
 * Checks a change of an account that no other change is under way for.
 *
 * @throws ServiceError see `authorize`
 */
export function assertAuthorized(state: State, accountId: string, by: Authorization): void {
  const error = authorize(by, {
    token: by.kind === 'token' ? state.findToken(by.tokenHash)?.token : undefined,
    account: state.accounts.get(accountId),
    block: state.blocks.account.get(accountId),
  });
  if (error) throw error;
}
