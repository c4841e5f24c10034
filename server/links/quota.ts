import type { Settings } from '../config.ts';
import type { Account } from '../store/account.ts';

/** Links per calendar month; Infinity for no limit. */
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
