import type { Link, OwnLink, PurgeLinkOutcome } from '../link.ts';
import { aliasesOf, reserve } from './aliases.ts';
import { type Decision, unchanged } from './decision.ts';
import { countBesides, type QuotaUse, quotaKeyOf } from './quota.ts';

export type PurgeLinkFacts = {
  link: Link | undefined;
  isBlocked: boolean;
  use: Pick<QuotaUse, 'besides'>;
};

/** See `Store.purgeLink`. The link still counts against its quota: otherwise, purging would lift it. */
export function purgeLink(
  { accountId }: OwnLink,
  { link, isBlocked, use }: PurgeLinkFacts,
): Decision<PurgeLinkOutcome> {
  if (link?.accountId !== accountId) return unchanged('not_found');
  if (isBlocked) return unchanged('link_blocked');
  return {
    outcome: 'purged',
    records: [
      ['link', link.id, null],
      ...reserve(aliasesOf(link), accountId),
      ...countBesides(use, quotaKeyOf(link), 1),
    ],
  };
}
