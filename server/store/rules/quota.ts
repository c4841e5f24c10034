import { ACCOUNT_TAGS_MAX } from '../../../shared/bounds.ts';
import { foldTag } from '../../../shared/text.ts';
import type { Link } from '../link.ts';
import type { Room } from '../link-calls.ts';
import { type StoreRecord, splitKey } from '../records.ts';
import type { Facts } from './change.ts';

/** A quota of an account, and how much of it is used. */
export type Quota = { used: number; max: number };

/** What costs nothing is possible even if the quota is used up. */
export function hasRoom({ used, max }: Quota, cost: number): boolean {
  return cost === 0 || used + cost <= max;
}

/** Returns the number of a time's calendar month (UTC), such as 24323 for November 2026. */
export function monthNumber(time: number): number {
  const date = new Date(time);
  return 12 * date.getUTCFullYear() + date.getUTCMonth() + 1;
}

/** Returns the quota of a month. */
export function monthlyQuota(accountId: string, time: number): string {
  return `${accountId} ${monthNumber(time)}`;
}

/** Returns the quota of all imports. */
export function importQuota(accountId: string): string {
  return `${accountId} imports`;
}

/** Returns the quota that a link counts against when it is added. */
export function quotaOf({
  accountId,
  created,
  importKey,
}: Pick<Link, 'accountId' | 'created' | 'importKey'>): string {
  return importKey === null ? monthlyQuota(accountId, created) : importQuota(accountId);
}

/** Returns the number of the first month whose quota may be checked again at a time. A clock can be a little wrong. */
export function firstCurrentMonth(now: number): number {
  return monthNumber(now) - 1;
}

/** Whether it may be checked again at a time. */
export function isCurrent(quota: string, now: number): boolean {
  const [, period] = splitKey(quota);
  return period === 'imports' || Number(period) >= firstCurrentMonth(now);
}

export function usedOf(facts: Pick<Facts, 'get'>, quota: string): number {
  return facts.get('quota', quota) ?? 0;
}

/** @param cost how much more counts; can be negative */
export function count(facts: Pick<Facts, 'get'>, quota: string, cost: number): StoreRecord[] {
  return cost === 0 ? [] : [['quota', quota, usedOf(facts, quota) + cost]];
}

/** The key of what all anonymous accounts together have added on a day. */
const ANONYMOUS_DAY = 'anonymous';

/** Returns what a decision about a link needs for `decideRoom`. */
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
  facts: Pick<Facts, 'get'>,
  room: Room | null,
  bytes: number,
): 'store_full' | 'anonymous_limit' | StoreRecord[] {
  if (bytes > 0 && room?.isFull) return 'store_full';
  if (bytes === 0 || !room?.anonymous) return [];
  const { day, maxBytes } = room.anonymous;
  const last = facts.get('day', ANONYMOUS_DAY);
  // Clocks of servers differ a little: a day that has begun goes on. A later one was counted by a wrong clock.
  const isCurrent = last?.day === day || last?.day === day + 1;
  const current = last && isCurrent ? last : { day, bytes: 0 };
  const added = Math.max(0, current.bytes + bytes);
  if (bytes > 0 && added > maxBytes) return 'anonymous_limit';
  return [['day', ANONYMOUS_DAY, { day: current.day, bytes: added }]];
}

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
