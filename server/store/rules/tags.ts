import { ACCOUNT_TAGS_MAX } from '../../../shared/limits.ts';
import { foldTag } from '../../../shared/text.ts';
import type { Facts } from './change.ts';

/** Whether a link with these tags would give its account more different tags than it can have. */
export function hasTooManyTags(
  facts: Pick<Facts, 'hasTag' | 'countTags'>,
  accountId: string,
  tags: readonly string[],
): boolean {
  const isNew = (tag: string) => !facts.hasTag(accountId, tag);
  const added = new Set(tags.map(foldTag).filter(isNew)).size;
  return added > 0 && facts.countTags(accountId) + added > ACCOUNT_TAGS_MAX;
}
