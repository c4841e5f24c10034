import type { Link, LinkPurge } from '../../link.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import type { Query, Statement } from '../database/statement.ts';
import { fromLinkRow, STORED_LINK, type StoredLink } from './link-row.ts';

const LOCK_LINK: Statement = {
  name: 'lock_link',
  text: `SELECT ${STORED_LINK}, EXISTS (
      SELECT FROM blocks WHERE kind = 'link' AND value = $1
    ) AS is_blocked
    FROM aliases WHERE id = $1 AND account_id = $2 FOR UPDATE`,
};

/**
 * Locks an account and one of its links for a change. All changes of links lock their account first, so
 * what is read afterwards cannot change until the transaction ends, except for hits. So do blocks of links.
 *
 * @returns undefined if the link does not exist, belongs to another account, or the account was deleted
 * @throws ServiceError see `authorize`
 */
export async function lockOwnLink(
  query: Query,
  { linkId, accountId, by }: LinkPurge,
): Promise<{ key: string; link: Link; isBlocked: boolean } | undefined> {
  if (!(await lockAccount(query, accountId, by))) return undefined;
  const [row] = await query<StoredLink & { is_blocked: boolean }>(LOCK_LINK, [linkId, accountId]);
  return row && { key: row.key, link: fromLinkRow(row), isBlocked: row.is_blocked };
}
