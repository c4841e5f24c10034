import { RESTORABLE_MS } from '../../../../shared/limits.ts';
import { isGone } from '../../decide/edit-link.ts';
import { purgeLink } from '../../decide/purge-link.ts';
import type { OwnLink } from '../../link.ts';
import type { Changes } from '../changes/changes.ts';
import type { Database } from '../database/database.ts';
import { untilDone } from './until-done.ts';

/** Links that are looked for at once. */
const TOGETHER = 100;

const FIND_OUTDATED = `SELECT id AS "linkId", account_id AS "accountId" FROM visible_links
    WHERE deleted_at < $1 AND NOT EXISTS (
      SELECT FROM blocks WHERE key = 'link ' || visible_links.id
    ) ORDER BY deleted_at LIMIT ${TOGETHER}`;

/** Purges links that were deleted too long ago to be restored, except blocked ones. Stops when `isClosed` says so. */
export async function purgeOutdated(
  database: Database,
  changes: Changes,
  now: number,
  isClosed: () => boolean,
): Promise<void> {
  await untilDone(isClosed, async () => {
    const links = await database.read<OwnLink>(FIND_OUTDATED, [now - RESTORABLE_MS]);
    const outcomes = await Promise.all(
      links.map((own) =>
        changes.make(
          purgeLink({ ...own, by: { kind: 'administrator' } }, (link) => isGone(link, now)),
        ),
      ),
    );
    return outcomes.filter((outcome) => outcome === 'purged').length === TOGETHER;
  });
}
