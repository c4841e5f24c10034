import { ServiceError } from '../core/service-error.ts';
import type { Account } from '../store/account.ts';
import type { Store } from '../store/store.ts';

/**
 * An administrator can suspend an account, whose links go on, or block it with its links. Either way,
 * its tokens are refused.
 *
 * @throws ServiceError `account_suspended`
 */
export function assertNotSuspended(
  { id, suspended }: Account,
  { blocks }: Pick<Store, 'blocks'>,
): void {
  const reason = suspended?.reason ?? blocks.account.get(id)?.reason;
  if (reason === undefined) return;
  throw new ServiceError(
    'account_suspended',
    `The operator of this server has suspended this account (${reason}). Contact them to get it back.`,
  );
}
