import type { Settings } from '../config.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { Account } from '../store/account.ts';

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

export function quotaExceeded(monthlyQuota: number, now: number): ServiceError {
  return new ServiceError(
    'quota_exceeded',
    `The quota of ${monthlyQuota} links and new aliases per month is used up. It resets on the first day of the next month at 00:00 UTC.`,
    { retryAfterSeconds: secondsToNextMonth(now) },
  );
}
