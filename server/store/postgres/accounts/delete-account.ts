import type { AccountDeletion } from '../../account.ts';
import { type ChangeContext, commitChange } from '../changes/commit-change.ts';
import type { Statement } from '../database/statement.ts';
import { eraseAccountStatistics } from '../statistics/visit-statistics.ts';
import { lockAccount } from './lock-account.ts';

const MARK: Statement = {
  name: 'mark_account_deleted',
  text: `UPDATE account_links SET is_deleted = true, total = 0, imported = 0, months = '{}'
    WHERE account_id = $1`,
};
const QUEUE_LINKS: Statement = {
  name: 'queue_account_to_erase',
  text: 'INSERT INTO accounts_to_erase (account_id) VALUES ($1)',
};
const DELETE_TOKENS: Statement = {
  name: 'delete_tokens',
  text: 'DELETE FROM tokens WHERE account_id = $1',
};
const DELETE: Statement = { name: 'delete_account', text: 'DELETE FROM accounts WHERE id = $1' };
/** Operators make few blocks, so this reads few links. */
const UNBLOCK: Statement = {
  name: 'unblock_account',
  text: `DELETE FROM blocks WHERE kind = 'account' AND value = $1 OR kind = 'link' AND EXISTS (
      SELECT FROM aliases WHERE aliases.id = blocks.value AND account_id = $1
    ) RETURNING value`,
};

/** See `Store.deleteAccount`. Nobody can see the account's links afterwards; `LinkEraser` erases them. */
export function deleteAccount(
  context: ChangeContext,
  { accountId: id, by }: AccountDeletion,
): Promise<void> {
  return commitChange(context, id, async (query, tell) => {
    if (!(await lockAccount(query, id, by))) return;
    for (const statement of [MARK, QUEUE_LINKS, DELETE_TOKENS, DELETE])
      await query(statement, [id]);
    const unblocked = await query(UNBLOCK, [id]);
    await eraseAccountStatistics(query, id);
    const blocks = unblocked.length > 0;
    await tell({ accounts: [id], deletedAccounts: [id], ...(blocks && { blocks }) });
  });
}
