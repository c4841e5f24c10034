import { monthNumber } from '../records/month.ts';
import { type StoreRecord, useKey } from '../records.ts';

/** A quota of an account, and how much of it is used. */
export type Quota = { used: number; max: number };

/** What costs nothing is possible even if the quota is used up. */
export function hasRoom({ used, max }: Quota, cost: number): boolean {
  return cost === 0 || used + cost <= max;
}

/** What is used of the quotas of an account. */
export type QuotaUse = {
  /** In the calendar month (UTC) of the change. See `LinkCounts`. */
  month: number;
  /** See `LinkCounts`. */
  imported: number;
  /** What counts besides the links of the account, by `useKey`. */
  besides: (key: string) => number;
};

/** The quota that a link counts against, as the key of what counts besides the links. */
export function quotaKeyOf({
  accountId,
  created,
  importKey,
}: {
  accountId: string;
  created: number;
  importKey: string | null;
}): string {
  return useKey(accountId, importKey === null ? monthNumber(created) : 'imports');
}

/** @param count how much more counts, besides the links of the account; can be negative */
export function countBesides(
  use: Pick<QuotaUse, 'besides'>,
  key: string,
  count: number,
): StoreRecord[] {
  return count === 0 ? [] : [['use', key, use.besides(key) + count]];
}
