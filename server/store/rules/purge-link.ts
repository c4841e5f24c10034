import type { Link, LinkPurge, PurgeLinkOutcome } from '../link.ts';
import { blockKey } from '../records.ts';
import { aliasesOf, reserve } from './aliases.ts';
import { authorized } from './authorized.ts';
import { type Change, type Needs, unchanged } from './change.ts';
import { countBesides, quotaKeyOf } from './quota.ts';

/**
 * See `Store.purgeLink`. The link still counts against its quota: otherwise, purging would lift it.
 *
 * @param mayPurge checked when the link is purged
 */
export function purgeLink(
  { linkId, accountId, by, version }: LinkPurge,
  mayPurge: (link: Link) => boolean = () => true,
): Change<PurgeLinkOutcome> {
  const needs = () => needsOfLink(linkId);
  return authorized(by, accountId, needs, (view) => {
    const link = view.get('link', linkId);
    if (link?.accountId !== accountId || !mayPurge(link)) return unchanged('not_found');
    if (version !== undefined && version !== link.version) return unchanged('version_mismatch');
    if (view.get('block', blockOf(linkId))) return unchanged('link_blocked');
    return {
      outcome: 'purged',
      records: [
        ['link', linkId, null],
        ...reserve(aliasesOf(link), accountId),
        ...countBesides(view, quotaKeyOf(link), 1),
      ],
    };
  });
}

export function needsOfLink(linkId: string): Needs {
  return { links: [linkId], blocks: [blockOf(linkId)] };
}

/** The key of the block of a link. */
export function blockOf(linkId: string): string {
  return blockKey({ kind: 'link', value: linkId });
}
