import type { TagCount } from '../../../shared/links/tags.ts';
import { foldTag } from '../../../shared/text.ts';

/**
 * The tags that most links have. Tags that differ only in case are one, in that of their spellings
 * which sorts last: `sale` rather than `Sale`.
 *
 * @param counts how many links have each spelling
 */
export function mostUsedTags(counts: ReadonlyMap<string, number>, limit: number): TagCount[] {
  const byFolded = new Map<string, TagCount>();
  for (const [tag, count] of counts) {
    const folded = foldTag(tag);
    const other = byFolded.get(folded);
    const isLast = !other || tag > other.tag;
    byFolded.set(folded, { tag: isLast ? tag : other.tag, count: count + (other?.count ?? 0) });
  }
  return [...byFolded]
    .sort(([one, { count }], [other, { count: otherCount }]) => {
      return otherCount - count || (one < other ? -1 : 1);
    })
    .slice(0, limit)
    .map(([, tag]) => tag);
}
