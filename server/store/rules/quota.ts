import type { LinkCounts } from '../account.ts';
import type { Link } from '../link.ts';
import { monthNumber } from '../records/month.ts';
import { type StoreRecord, useKey } from '../records.ts';
import type { View } from './view.ts';

/** A quota of an account, and how much of it is used. */
export type Quota = { used: number; max: number };

/** What costs nothing is possible even if the quota is used up. */
export function hasRoom({ used, max }: Quota, cost: number): boolean {
  return cost === 0 || used + cost <= max;
}

/** See `Store.countLinks`. */
export function countLinks(
  view: Pick<View, 'counts' | 'get'>,
  accountId: string,
  time: number,
): LinkCounts {
  const { month, total, imported } = view.counts(accountId, time);
  return {
    month: month + (view.get('use', useKey(accountId, monthNumber(time))) ?? 0),
    total,
    imported: imported + (view.get('use', useKey(accountId, 'imports')) ?? 0),
  };
}

/** The quota that a link counts against, as the key of what counts besides the links. */
export function quotaKeyOf({
  accountId,
  created,
  importKey,
}: Pick<Link, 'accountId' | 'created' | 'importKey'>): string {
  return useKey(accountId, importKey === null ? monthNumber(created) : 'imports');
}

/** @param count how much more counts, besides the links of the account; can be negative */
export function countBesides(view: Pick<View, 'get'>, key: string, count: number): StoreRecord[] {
  return count === 0 ? [] : [['use', key, (view.get('use', key) ?? 0) + count]];
}
