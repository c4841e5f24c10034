import { RESTORABLE_MS } from '../../shared/limits.ts';
import type { LinkStatus } from '../../shared/links/link-status.ts';
import type { Link } from './link.ts';

/**
 * Returns what a link is for its visitors at a time. Only an active link leads to its targets.
 *
 * @param now milliseconds since the epoch
 */
export function linkStatus(
  link: Link,
  now: number,
  blocks: { isBlocked(link: Link): boolean },
): LinkStatus {
  if (link.deletedAt !== null) return 'deleted';
  if (blocks.isBlocked(link)) return 'blocked';
  if (!link.isActive) return 'inactive';
  if (link.expiresAt !== null && link.expiresAt <= now) return 'expired';
  if (link.maxVisits !== null && link.hits >= link.maxVisits) return 'used_up';
  if (link.startsAt !== null && now < link.startsAt) return 'scheduled';
  return 'active';
}

/** Whether the link was deleted too long ago to be restored, although it may not be erased yet. */
export function isGone({ deletedAt }: Pick<Link, 'deletedAt'>, now: number): boolean {
  return deletedAt !== null && deletedAt + RESTORABLE_MS <= now;
}
