import type { Settings } from '../config.ts';
import { ServiceError } from '../lib/service-error.ts';
import { DAY_MS, dayNumber } from '../lib/time.ts';
import type { Memory } from '../limits/heap-watch.ts';
import type { Account } from '../store/account.ts';
import type { Room } from '../store/link-calls.ts';
import type { Store } from '../store/store.ts';

/** Returns how many links and new aliases an account can have in a calendar month; Infinity for no limit. */
export function monthlyQuotaOf(
  { monthlyQuota }: Pick<Account, 'monthlyQuota'>,
  settings: Pick<Settings, 'monthlyQuota'>,
): number {
  return monthlyQuota ?? settings.monthlyQuota;
}

/** Returns the start of the next calendar month (UTC), in milliseconds since the epoch. */
export function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

export function secondsToNextMonth(now: number): number {
  return Math.ceil((nextMonth(now) - now) / 1000);
}

/**
 * Checks the quota before expensive work, and before errors that come after it in the order of checks. The store
 * has the final say.
 *
 * @throws ServiceError `quota_exceeded`
 */
export async function assertQuotaLeft(
  { accountId, quota, now }: { accountId: string; quota: number; now: number },
  store: Pick<Store, 'countLinks'>,
): Promise<void> {
  const { month } = await store.countLinks(accountId, now);
  if (month >= quota) throw quotaExceeded(quota, now);
}

export function quotaExceeded(monthlyQuota: number, now: number): ServiceError {
  return new ServiceError(
    'quota_exceeded',
    `The quota of ${monthlyQuota} links and new aliases per month is used up, of which each started 4 KiB of a link counts as one. It resets on the first day of the next month at 00:00 UTC.`,
    { retryAfterSeconds: secondsToNextMonth(now) },
  );
}

export type RoomDependencies = {
  settings: Pick<Settings, 'anonymousMbPerDay'>;
  memory: Pick<Memory, 'isFull'>;
};

const MEGABYTE = 1_000_000;
/** After that, somebody may have erased links, or given the server more memory. */
const FULL_RETRY_SECONDS = 60;

/** Returns what an account can add now. One to which an administrator gave a quota is not anonymous any more. */
export function roomFor(
  { isAnonymous, monthlyQuota }: Pick<Account, 'isAnonymous' | 'monthlyQuota'>,
  now: number,
  { settings, memory }: RoomDependencies,
): Room {
  const isLimited = isAnonymous === true && monthlyQuota === undefined;
  const maxBytes = settings.anonymousMbPerDay * MEGABYTE;
  return {
    isFull: memory.isFull,
    anonymous: isLimited ? { day: dayNumber(now), maxBytes } : null,
  };
}

/** @param kind of the outcome */
export function noRoom(kind: 'store_full' | 'anonymous_limit', now: number): ServiceError {
  return kind === 'store_full' ? storeFull() : anonymousLimit(now);
}

export function storeFull(): ServiceError {
  return new ServiceError(
    'store_full',
    'The memory of this server is nearly used up, so no links can be added. Links that exist keep working. Try again later, or tell the operator.',
    { retryAfterSeconds: FULL_RETRY_SECONDS },
  );
}

function anonymousLimit(now: number): ServiceError {
  return new ServiceError(
    'anonymous_limit',
    'Anonymous accounts have added as much as they can on this server today. Try again tomorrow (UTC), or ask the operator for an account.',
    { retryAfterSeconds: Math.ceil((DAY_MS - (now % DAY_MS)) / 1000) },
  );
}
