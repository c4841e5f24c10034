import { describe, expect, test } from 'vitest';
import { StoredStatistics } from '../../../server/store/json-file/data/stored-statistics.ts';
import type { LinkVisits } from '../../../server/store/statistics/link-visits.ts';
import { type Tally, tallyKey } from '../../../server/store/visits.ts';

const FIRST_HOUR = 24 * 20_000;
const timeOf = (hour: number) => hour * 3_600_000;
const LINKS = Array.from({ length: 50 }, (_, index) => ({
  linkId: `link-${index}`,
  accountId: `account-${index % 2}`,
}));

/** Visits each link in each of these hours. @returns the most that was ever in memory */
function visitAll(statistics: StoredStatistics, hours: number[], madeUp: number): number {
  let most = 0;
  for (const hour of hours) {
    statistics.add(
      LINKS.map((ids): LinkVisits => {
        const people = madeUp + 5;
        const tallies = namesOf(`${hour}-${ids.linkId}`, madeUp);
        return { ...ids, hour, counts: [people, people, 1, 1], tallies };
      }),
    );
    most = Math.max(most, statistics.bytes);
  }
  return most;
}

/** One that is known, and some that are made up. */
function namesOf(id: string, madeUp: number): Tally {
  const names = new Map([[tallyKey('referrers', 'known.example'), 5]]);
  for (let index = 0; index < madeUp; index++) {
    names.set(tallyKey('referrers', `made-up-${id}-${index}.example`), 1);
  }
  return names;
}

function peopleOf(periods: readonly { people: number }[]): number {
  return periods.reduce((sum, { people }) => sum + people, 0);
}

describe('the statistics of all links together', () => {
  test('have a budget, beyond which the rarest names become other', () => {
    const [maxBytes, days, madeUp] = [400_000, 30, 20];
    const statistics = new StoredStatistics(() => true, maxBytes);
    const hours = Array.from({ length: days }, (_, day) => FIRST_HOUR + 24 * day);
    const most = visitAll(statistics, hours, madeUp);
    expect(most).toBeGreaterThan(0.9 * maxBytes);
    expect(most).toBeLessThan(1.5 * maxBytes);
    for (const of of [...LINKS.map(({ linkId }) => ({ linkId })), { accountId: 'account-1' }]) {
      const links = 'linkId' in of ? 1 : LINKS.length / 2;
      const { hours: kept, talliesOfDays } = statistics.read(of, timeOf(FIRST_HOUR + 24 * days));
      expect(peopleOf(kept)).toBe(days * links * (madeUp + 5));
      const referrers = talliesOfDays.map(({ dimensions }) => dimensions.referrers);
      const known = referrers.reduce((sum, names) => sum + (names.get('known.example') ?? 0), 0);
      expect(known).toBe(days * links * 5);
      const all = referrers.flatMap((names) => [...names.values()]);
      expect(all.reduce((sum, people) => sum + people, 0)).toBe(days * links * (madeUp + 5));
    }
  });

  test('keep sums of days and months where even hours are too much, and lose no visit', () => {
    const maxBytes = 60_000;
    const statistics = new StoredStatistics(() => true, maxBytes);
    const hours = Array.from({ length: 24 * 100 }, (_, hour) => FIRST_HOUR + hour);
    expect(visitAll(statistics, hours, 2)).toBeLessThan(2 * maxBytes);
    for (const { linkId } of LINKS) {
      const read = statistics.read({ linkId }, timeOf(FIRST_HOUR + hours.length));
      expect(peopleOf([...read.hours, ...read.days, ...read.months])).toBe(hours.length * 7);
    }
  });

  test('have it also when they are loaded, and count nothing that was erased', () => {
    const all = new StoredStatistics(() => true, Number.POSITIVE_INFINITY);
    visitAll(all, [FIRST_HOUR, FIRST_HOUR + 24], 20);
    const loaded = new StoredStatistics(() => true, all.bytes / 4);
    for (const [, subject, history] of all.beginSnapshot(() => {})) loaded.load(subject, history);
    expect(loaded.bytes).toBeLessThan(all.bytes / 4);
    for (const { linkId, accountId } of LINKS) {
      loaded.erase({ linkId });
      loaded.erase({ accountId });
    }
    expect(loaded.bytes).toBe(0);
  });
});
