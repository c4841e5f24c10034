import type { LinkStatus } from '../../shared/links/link-status.ts';
import type { Link } from './link.ts';

/**
 * What a link is for its visitors at a time. Only an active link leads to its targets.
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
