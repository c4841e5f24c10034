import type { MoveLinkOutcome } from '../../administration.ts';
import type { OwnLink } from '../../link.ts';
import { aliasesOf } from '../../records/edited-link.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import { type ChangeContext, commitChange } from '../changes/commit-change.ts';
import type { Statement } from '../database/statement.ts';
import { toLinkRow } from '../links/link-row.ts';
import { monthOf } from '../links/month.ts';
import { lockOwnLink } from '../links/own-link.ts';

const MOVE_ALIASES: Statement = {
  name: 'move_aliases',
  text: 'UPDATE aliases SET account_id = $2 WHERE key = ANY ($1)',
};
const MOVE_LINK: Statement = {
  name: 'move_link',
  text: 'UPDATE aliases SET link = $2 WHERE key = $1',
};
/** Imported links count in no month. */
const COUNT: Statement = {
  name: 'count_moved_link',
  text: `UPDATE account_links SET total = total + $2, imported = imported + $3,
      months = CASE WHEN $3 <> 0 THEN months ELSE jsonb_set(
        months, ARRAY[$4::text], to_jsonb(coalesce((months->>$4)::bigint, 0) + $2)
      ) END
    WHERE account_id = $1`,
};

/** See `Administration.moveLink`. */
export function moveLink(
  context: ChangeContext,
  own: OwnLink,
  to: string,
): Promise<MoveLinkOutcome> {
  const { accountId: from } = own;
  const by = { kind: 'administrator' } as const;
  return commitChange(context, [from, to], async (query, tell) => {
    // All servers lock accounts in one order.
    for (const id of [from, to].sort()) {
      const isThere = await lockAccount(query, id, by);
      if (id === to && !isThere) return 'no_account';
    }
    const found = await lockOwnLink(query, { ...own, by });
    if (!found) return 'not_found';
    const { link } = found;
    const aliases = aliasesOf(link);
    await query(MOVE_ALIASES, [aliases, to]);
    await query(MOVE_LINK, [found.key, toLinkRow({ ...link, accountId: to }).link]);
    for (const [id, more] of [
      [from, -1],
      [to, 1],
    ] as const) {
      const imported = link.importKey === null ? 0 : more;
      await query(COUNT, [id, more, imported, monthOf(link.created)]);
    }
    await tell({ aliases });
    return 'moved';
  });
}
