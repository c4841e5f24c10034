import type { Settings } from '../config.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { Account } from '../store/account.ts';
import type { Store } from '../store/store.ts';

/** Links and new aliases per calendar month; Infinity for no limit. */
export function monthlyQuotaOf(
  { monthlyQuota }: Pick<Account, 'monthlyQuota'>,
  settings: Pick<Settings, 'monthlyQuota'>,
): number {
  return monthlyQuota ?? settings.monthlyQuota;
}

/** Start of the next calendar month (UTC), in milliseconds since the epoch. */
export function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

export function secondsToNextMonth(now: number): number {
  return Math.ceil((nextMonth(now) - now) / 1000);
}

/**
 * Before expensive work, and before errors that come after it in the order of checks. The store has the
 * final say.
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
