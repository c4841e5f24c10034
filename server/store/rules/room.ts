import type { Room } from '../link.ts';
import type { StoreRecord } from '../records.ts';
import type { View } from './view.ts';

/** The key of what all anonymous accounts together have added on a day. */
export const ANONYMOUS_DAY = 'anonymous';

/** What a decision about a link needs for `decideRoom`. */
export function roomNeeds(room: Room | null): { days: string[] } {
  return { days: room?.anonymous ? [ANONYMOUS_DAY] : [] };
}

/**
 * Whether the server has room for a link, besides what its account may have.
 *
 * @param bytes how much larger the link gets: all of a new one; negative if it gets smaller
 * @returns why it has none, or the records of what is counted
 */
export function decideRoom(
  view: Pick<View, 'get'>,
  room: Room | null,
  bytes: number,
): 'store_full' | 'anonymous_limit' | StoreRecord[] {
  if (bytes > 0 && room?.isFull) return 'store_full';
  if (bytes === 0 || !room?.anonymous) return [];
  const { day, maxBytes } = room.anonymous;
  const last = view.get('day', ANONYMOUS_DAY);
  // Clocks of servers differ a little: a day that has begun goes on.
  const current = last && last.day >= day ? last : { day, bytes: 0 };
  const added = Math.max(0, current.bytes + bytes);
  if (bytes > 0 && added > maxBytes) return 'anonymous_limit';
  return [['day', ANONYMOUS_DAY, { day: current.day, bytes: added }]];
}
