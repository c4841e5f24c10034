import { describe, expect, test } from 'vitest';
import { StoredStatistics } from '../../../server/store/json-file/statistics/stored-statistics.ts';
import type { Tally, VisitsOfHour } from '../../../server/store/visits.ts';
import { NOW, tally } from '../contract.ts';

const HOUR_MS = 3_600_000;
const DAYS = 90;
const HOURS_PER_FLUSH = 2;
const VISITS_PER_FLUSH = 960;
const MAX_BYTES = 80_000;

/** Links `0`, `1` and so on, each with an account of its own. */
const links = {
  numberOf: Number,
  accountIdOf: (number: number) => `account-${number}`,
  isErased: () => false,
};

function add(statistics: StoredStatistics, visits: VisitsOfHour[]): void {
  for (const line of statistics.toLines(visits)) statistics.add(line.visits);
}

/** Visits from a thousand referrers in turn, some of them far more often than others. */
function flush(linkId: string, number: number): VisitsOfHour {
  const referrers: Tally = new Map();
  for (let visit = 0; visit < VISITS_PER_FLUSH; visit++) {
    const step = number * VISITS_PER_FLUSH + visit;
    const referrer = step % 3 === 0 ? step % 7 : (step * 7919) % 1000;
    const key = `referrer-${referrer}.example.com`;
    referrers.set(key, (referrers.get(key) ?? 0) + 1);
  }
  return {
    linkId,
    hour: NOW + number * HOURS_PER_FLUSH * HOUR_MS,
    people: VISITS_PER_FLUSH,
    uniquePeople: 100,
    previews: 3,
    bots: 20,
    dimensions: {
      referrers,
      browsers: tally({ Chrome: 100, Safari: 30, Firefox: 20, 'Microsoft Edge': 10 }),
      systems: tally({ Windows: 70, Android: 50, iOS: 30, macOS: 10 }),
      devices: tally({ desktop: 80, mobile: 70, tablet: 10 }),
      countries: tally({
        DE: 60,
        AT: 40,
        CH: 30,
        FR: 20,
        [String.fromCharCode(65 + (number % 26))]: 10,
      }),
    },
  };
}

describe('the statistics of a link', () => {
  test('with a million visits from a thousand referrers over 90 days take at most 80 kB', () => {
    const statistics = new StoredStatistics(links);
    const flushes = (DAYS * 24) / HOURS_PER_FLUSH;
    let longest = 0;
    for (let number = 0; number < flushes; number++) {
      add(statistics, [flush('0', number)]);
      longest = Math.max(longest, statistics.bytesOf('0'));
    }
    const { hours } = statistics.read({ linkId: '0' }, NOW);
    expect(hours.reduce((sum, { people }) => sum + people, 0)).toBeGreaterThan(1_000_000);
    expect(longest).toBeLessThan(MAX_BYTES);
  });

  test('take at most 80 kB, whatever referrers are made up', () => {
    const statistics = new StoredStatistics(links);
    let longest = 0;
    for (let hour = 0; hour < 24 * 100; hour += 6) {
      const referrers: Tally = new Map();
      for (let number = 0; number < 300; number++) {
        referrers.set(`${hour}-${number}-${'made-up-'.repeat(6)}.example`, number);
      }
      const visit = { ...flush('0', 0), hour: NOW + hour * HOUR_MS, dimensions: { referrers } };
      add(statistics, [visit]);
      longest = Math.max(longest, statistics.bytesOf('0'));
    }
    expect(longest).toBeLessThan(MAX_BYTES);
  });

  test('take little more memory than their bytes, also after having been merged often', () => {
    const statistics = new StoredStatistics(links);
    const count = 1000;
    const one = { ...flush('', 0), dimensions: { devices: tally({ mobile: 1 }) } };
    for (let number = 0; number < 60; number++) {
      for (let link = 0; link < count; link++) {
        add(statistics, [{ ...one, linkId: `${link}`, hour: NOW + number * HOUR_MS }]);
      }
    }
    let bytes = 0;
    for (let link = 0; link < count; link++) bytes += statistics.bytesOf(`${link}`);
    const used = statistics.memoryBytes;
    // Each account has as many bytes as its link.
    expect(used / (2 * bytes)).toBeLessThan(3);
  });

  test('take nothing for a link that is never visited', () => {
    const statistics = new StoredStatistics(links);
    expect(statistics.bytesOf('7')).toBe(0);
    add(statistics, [flush('7', 0)]);
    expect(statistics.bytesOf('7')).toBeGreaterThan(0);
    expect(statistics.bytesOf('8')).toBe(0);
  });

  test('are gone once erased, and their memory is used again', () => {
    const statistics = new StoredStatistics(links);
    for (let round = 0; round < 200; round++) {
      for (let number = 0; number < 3; number++) add(statistics, [flush('7', number)]);
      statistics.erase('7');
    }
    statistics.eraseAccount('account-7');
    add(statistics, [flush('7', 0)]);
    const nothing = { hours: [], days: [], months: [], talliesOfDays: [], talliesOfMonths: [] };
    expect(statistics.read({ linkId: '7' }, NOW)).toEqual(nothing);
    expect(statistics.read({ accountId: 'account-7' }, NOW)).toEqual(nothing);
    expect(statistics.bytesOf('7')).toBe(0);
    expect(statistics.memoryBytes).toBe(1024 * 1024);
  });

  test('of an account stay when one of its links is erased', () => {
    const statistics = new StoredStatistics({ ...links, accountIdOf: () => 'all' });
    add(statistics, [flush('1', 0), flush('2', 0)]);
    statistics.erase('1');
    add(statistics, [flush('2', 0)]);
    const read = (of: Parameters<StoredStatistics['read']>[0]) => statistics.read(of, NOW).hours;
    expect(read({ linkId: '1' })).toEqual([]);
    expect(read({ linkId: '2' })).toMatchObject([{ bots: 40 }]);
    expect(read({ accountId: 'all' })).toMatchObject([{ bots: 60 }]);
  });
});
