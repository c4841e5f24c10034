import type { ServiceError } from '../../../core/service-error.ts';
import type { Account, Authorization, Token } from '../../account.ts';
import { authorize } from '../../decide/authorize.ts';
import { type AccountJson, fromAccountJson } from '../../records/account-json.ts';
import type { Query, Statement } from '../database/statement.ts';

export const LOCK_ACCOUNT: Statement = {
  name: 'lock_account',
  text: 'SELECT * FROM lock_account($1, $2)',
};

type LockedRow = {
  is_deleted: boolean;
  account: AccountJson | null;
  tokens: (Pick<Token, 'accountId' | 'scope'> & { hash: string })[] | null;
  blocked: string | null;
};

/** An account that no other change is under way for; undefined if only links name it. */
type Locked = { account: Account | undefined };

/**
 * Waits for changes of an account by all servers, and keeps others out until the transaction ends. Before
 * anything else of the account or its links is locked, and in the order of the ids if there are several.
 *
 * @returns undefined if there is no such account, or it was deleted
 * @throws ServiceError see `authorize`
 */
export async function lockAccount(
  query: Query,
  id: string,
  by: Authorization,
): Promise<Locked | undefined> {
  const { isThere, account, errors } = await lockForAll(query, id, [by]);
  const [error] = errors;
  if (error) throw error;
  return isThere ? { account } : undefined;
}

/** Locks an account for several changes. `errors` has what `authorize` returns for each of them. */
export async function lockForAll(
  query: Query,
  id: string,
  all: readonly Authorization[],
): Promise<Locked & { isThere: boolean; errors: (ServiceError | undefined)[] }> {
  const hashes = all.flatMap((by) => (by.kind === 'token' ? by.tokenHash : []));
  const [row] = await query<LockedRow>(LOCK_ACCOUNT, [id, [...new Set(hashes)]]);
  const account = row?.account ? fromAccountJson(row.account) : undefined;
  const block = row?.blocked ? { reason: row.blocked } : undefined;
  const errors = all.map((by) => {
    const token = row?.tokens?.find(({ hash }) => by.kind === 'token' && hash === by.tokenHash);
    return authorize(by, { token, account, block });
  });
  return { isThere: row !== undefined && !row.is_deleted, account, errors };
}
