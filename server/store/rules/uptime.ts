import { DAY_MS, dayNumber } from '../../lib/time.ts';
import { type Change, type Facts, unchanged } from './change.ts';

/** More than 30 days, the longest time for which anything is kept, see `certainTime`. */
const DAYS_MAX = 32;

/** Notes that the store is open on the day of a time. @returns all days that are noted */
export function noteDay(now: number): Change<readonly number[]> {
  return {
    needs: () => ({ uptime: [''] }),
    decide: (facts) => {
      const day = dayNumber(now);
      const known = openDays(facts);
      if (known.at(-1) === day) return unchanged(known);
      // Later ones were noted while the clock was ahead.
      const days = [...known.filter((each) => each < day), day].slice(-DAYS_MAX);
      return { outcome: days, records: [['uptime', '', days]] };
    },
  };
}

/** See `noteDay`. */
export function openDays(facts: Pick<Facts, 'get'>): readonly number[] {
  return facts.get('uptime', '') ?? [];
}

/**
 * Returns the time by which to decide what is erased. A clock may be years ahead at a start, or set right after it
 * was years behind: so it is no later than what is kept for `keptMs`, counted from a day after which the store was
 * open on so many days and one more.
 *
 * @param days see `openDays`
 * @param now milliseconds since the epoch
 */
export function certainTime(days: readonly number[], now: number, keptMs: number): number {
  const first = days.at(-1 - Math.ceil(keptMs / DAY_MS));
  return first === undefined ? 0 : Math.min(now, first * DAY_MS + keptMs);
}
