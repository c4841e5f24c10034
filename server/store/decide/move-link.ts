import type { Account } from '../account.ts';
import type { MoveLinkOutcome } from '../administration.ts';
import type { Link, OwnLink } from '../link.ts';
import { type Decision, unchanged } from './decision.ts';

/** See `Administration.moveLink`. */
export function moveLink(
  { accountId }: OwnLink,
  { link, to }: { link: Link | undefined; to: Account | undefined },
): Decision<MoveLinkOutcome> {
  if (!to) return unchanged('no_account');
  if (link?.accountId !== accountId) return unchanged('not_found');
  return { outcome: 'moved', records: [['link', link.id, { ...link, accountId: to.id }]] };
}
