import { RESTORABLE_MS } from '../../../../shared/limits.ts';
import type { Link, LinkPurge, OwnLink, PurgeLinkOutcome } from '../../link.ts';
import { aliasesOf, isGone } from '../../records/edited-link.ts';
import type { Change } from '../changes/change-notice.ts';
import { type ChangeContext, commitChange } from '../changes/commit-change.ts';
import type { Query, Statement } from '../database/statement.ts';
import { eraseLinkStatistics } from '../statistics/visit-statistics.ts';
import { CLEAR_ALIASES } from './link-editor.ts';
import { lockOwnLink } from './own-link.ts';

/** Links that maintenance looks for at once. */
const TOGETHER = 100;

const UNCOUNT_LINK: Statement = {
  name: 'uncount_link',
  text: 'UPDATE account_links SET total = total - 1 WHERE account_id = $1',
};
const SPEND_KEYS: Statement = {
  name: 'spend_keys',
  text: 'UPDATE idempotency_keys SET link = NULL WHERE link_id = $1',
};
const FIND_OUTDATED: Statement = {
  name: 'find_outdated',
  text: `SELECT id AS "linkId", account_id AS "accountId" FROM aliases
    WHERE deleted_at < $1 AND NOT EXISTS (
      SELECT FROM blocks WHERE kind = 'link' AND value = aliases.id
    ) ORDER BY deleted_at LIMIT ${TOGETHER}`,
};

/** Erases links. */
export class LinkPurger {
  readonly #context: ChangeContext;

  constructor(context: ChangeContext) {
    this.#context = context;
  }

  /**
   * See `Store.purgeLink`.
   *
   * @param mayPurge checked when no other change of the link is under way
   */
  purge(
    link: LinkPurge,
    mayPurge: (link: Link) => boolean = () => true,
  ): Promise<PurgeLinkOutcome> {
    return commitChange(this.#context, link.accountId, async (query, tell) => {
      const found = await lockOwnLink(query, link);
      if (!found || !mayPurge(found.link)) return 'not_found';
      if (found.isBlocked) return 'link_blocked';
      await tell(await erase(query, found.link));
      return 'purged';
    });
  }

  /** Purges links that were deleted too long ago to be restored, except blocked ones. Stops when `isClosed` says so. */
  async purgeOutdated(now: number, isClosed: () => boolean): Promise<void> {
    const by = { kind: 'administrator' } as const;
    let purged = TOGETHER;
    while (purged === TOGETHER && !isClosed()) {
      const links = await this.#context.database.read<OwnLink>(FIND_OUTDATED, [
        now - RESTORABLE_MS,
      ]);
      purged = 0;
      for (const link of links) {
        const outcome = await this.purge({ ...link, by }, (each) => isGone(each, now));
        if (outcome === 'purged') purged++;
      }
    }
  }
}

async function erase(query: Query, link: Link): Promise<Change> {
  const { id, accountId } = link;
  const aliases = aliasesOf(link);
  await query(CLEAR_ALIASES, [aliases, [], null]);
  await query(UNCOUNT_LINK, [accountId]);
  await query(SPEND_KEYS, [id]);
  await eraseLinkStatistics(query, [id]);
  return { aliases };
}
