import type { Link, LinkPurge, PurgeLinkOutcome } from '../../link.ts';
import type { PurgedJson } from '../files/line-record.ts';
import { assertAuthorized } from './authorize.ts';
import { type ChangeContext, commitChange, type Undecided } from './context.ts';

/**
 * See `Store.purgeLink`.
 *
 * @param mayPurge checked when no other change of the link is under way
 */
export function tryToPurge(
  context: ChangeContext,
  { linkId, accountId, by }: LinkPurge,
  mayPurge: (link: Link) => boolean = () => true,
): PurgeLinkOutcome | Promise<PurgeLinkOutcome> | Undecided {
  const { state, reserved, clock, countChange } = context;
  const decided = reserved.lockDecided(linkId) ?? reserved.lockDecided(accountId);
  if (decided) return { decided };
  assertAuthorized(state, accountId, by);
  const found = state.readLink(linkId);
  if (found?.link.accountId !== accountId || !mayPurge(found.link)) return 'not_found';
  const { number, link } = found;
  if (state.blocks.link.has(link.id)) return 'link_blocked';
  const erasedAt = clock();
  const purged: PurgedJson = {
    id: link.id,
    accountId,
    aliases: [link.alias, ...link.furtherAliases],
    created: link.created,
    ...(link.importKey !== null && { isImported: true }),
    at: erasedAt,
  };
  const change = {
    members: `"purged":${JSON.stringify(purged)}`,
    retainedBytes: JSON.stringify(purged.aliases).length - state.links.lineBytes(number),
    erasedAt,
  };
  return commitChange(context, { lockId: linkId }, change, () => {
    state.purge(number);
    countChange();
    return 'purged';
  });
}
