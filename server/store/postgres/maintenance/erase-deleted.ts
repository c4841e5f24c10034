import { aliasesOf } from '../../rules/aliases.ts';
import { subjectOf } from '../../statistics/link-visits.ts';
import { CLEAR_KEYS } from '../changes/write-records.ts';
import type { Database } from '../database/database.ts';
import type { Query } from '../database/statement.ts';
import type { StoredLink } from '../links/link-row.ts';
import { eraseStatistics } from '../statistics/visit-statistics.ts';
import { untilDone } from './until-done.ts';

/** Links or aliases that are erased in one transaction. */
const TOGETHER = 500;

const NEXT_ACCOUNT = 'SELECT account_id FROM accounts_to_erase ORDER BY account_id LIMIT 1';
/** Their hits are counted at the same time, in this order. */
const DELETE_LINKS = `WITH locked AS (
      SELECT id FROM links WHERE id IN (
        SELECT id FROM links WHERE account_id = $1 LIMIT ${TOGETHER}
      ) ORDER BY id FOR UPDATE
    ) DELETE FROM links USING locked WHERE links.id = locked.id RETURNING links.id, link`;
const RESERVE_FOR_NOBODY = `UPDATE aliases SET account_id = '', link_id = NULL WHERE key = ANY ($1)`;
const RESERVE_REST_FOR_NOBODY = `UPDATE aliases SET account_id = '' WHERE key IN (
      SELECT key FROM aliases WHERE account_id = $1 AND link_id IS NULL LIMIT ${TOGETHER}
    ) RETURNING key`;
/** Another server may be erasing the rest, which the statements above found locked and then gone. */
const DONE = `DELETE FROM accounts_to_erase WHERE account_id = $1
      AND NOT EXISTS (SELECT FROM links WHERE account_id = $1)
      AND NOT EXISTS (SELECT FROM aliases WHERE account_id = $1 AND link_id IS NULL)`;

/**
 * Erases the links of deleted accounts, a few in each transaction. Nobody sees them any more. Several servers
 * may do it at once.
 */
export async function eraseDeleted(database: Database, isClosed: () => boolean): Promise<void> {
  await untilDone(isClosed, async () => {
    const [next] = await database.read<{ account_id: string }>(NEXT_ACCOUNT);
    if (next) await database.transaction((query) => eraseSome(query, next.account_id));
    return next !== undefined;
  });
}

/** Erases a few links of an account, or its last aliases, or notes that nothing is left. */
export async function eraseSome(query: Query, accountId: string): Promise<void> {
  const links = await query<Pick<StoredLink, 'id' | 'link'>>(DELETE_LINKS, [accountId]);
  if (links.length === 0) {
    const reserved = await query(RESERVE_REST_FOR_NOBODY, [accountId]);
    if (reserved.length === 0) void query(DONE, [accountId]);
    return;
  }
  void query(RESERVE_FOR_NOBODY, [
    links.flatMap(({ link: { alias, previousAliases = [] } }) =>
      aliasesOf({ alias, previousAliases }),
    ),
  ]);
  void query(CLEAR_KEYS, [links.map(({ id }) => id)]);
  eraseStatistics(
    query,
    links.map(({ id: linkId }) => subjectOf({ linkId })),
  );
}
