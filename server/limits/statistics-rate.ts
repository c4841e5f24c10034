import { rateLimited } from '../lib/service-error.ts';
import type { ClientAddress } from './client-address.ts';
import { addressKey } from './limit-counter.ts';
import type { LimitCounters } from './limits.ts';

/** A page takes the time of about so many, however few it shows. */
const PAGE_PERIODS = 100;

export type StatisticsRate = ReturnType<typeof createStatisticsRate>;

/**
 * Limits how much of public statistics a client reads, by the periods that it asks for: anybody can ask, and
 * each period is formatted.
 *
 * @see docs/settings.md
 */
export function createStatisticsRate(counters: LimitCounters) {
  const store = counters.exchanged('statistics');
  return {
    /**
     * Counts the periods of a request.
     *
     * @param toPeriods is not called beyond the limit
     * @throws ServiceError `rate_limited` if the rate was reached before
     */
    take<T extends { starts: readonly number[] }>(address: ClientAddress, toPeriods: () => T): T {
      const key = addressKey(address);
      const waitMs = store.count(key, PAGE_PERIODS);
      if (waitMs > 0) {
        throw rateLimited('Too many statistics were read in a minute.', Math.ceil(waitMs / 1000));
      }
      const periods = toPeriods();
      store.count(key, Math.max(0, periods.starts.length - PAGE_PERIODS));
      return periods;
    },
  };
}
