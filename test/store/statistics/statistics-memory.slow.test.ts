import { describe, expect, test } from 'vitest';
import { History } from '../../../server/store/statistics/history.ts';
import { DIMENSIONS, tallyKey } from '../../../server/store/visits.ts';

const DAYS = 400;
const MAX_BYTES = 250_000;
/** Of a slot of an array, and of a text besides its characters. */
const [SLOT_BYTES, TEXT_BYTES] = [8, 16];

/** What the arrays of a history take, at most. */
function bytesOf({ hours, days, months, talliesOfDays, talliesOfMonths }: History): number {
  const texts = new Set<string>();
  let slots = 0;
  for (const series of [hours, days, months]) slots += 5 * series.size;
  for (const series of [talliesOfDays, talliesOfMonths]) {
    for (const [, tallies] of series) {
      slots += 2 * tallies.size;
      for (const key of tallies.keys()) texts.add(key);
    }
  }
  const characters = [...texts].reduce((sum, { length }) => sum + length + TEXT_BYTES, 0);
  return slots * SLOT_BYTES + characters;
}

/** More values than are kept, in a few hours of each day. */
const HOURS_WITH_VALUES = 4;

function othersOf(hour: number): [string, number][] {
  return DIMENSIONS.slice(1).flatMap((name) =>
    Array.from({ length: 12 }, (_, value): [string, number] => [
      tallyKey(name, `value ${(hour + value) % 15}`),
      value,
    ]),
  );
}

/** Adds visits to each hour of more than a year. @returns the most that the history ever took */
function visitForDays(referrersOf: (hour: number) => [string, number][]): number {
  const history = new History();
  let most = 0;
  for (let hour = 0; hour < DAYS * 24; hour++) {
    const hasValues = hour % 24 < HOURS_WITH_VALUES;
    const tallies = hasValues ? [...referrersOf(hour), ...othersOf(hour)] : [];
    history.add(500_000 + hour, [100, 10, 3, 20], new Map(tallies));
    if (hour % 24 === HOURS_WITH_VALUES) most = Math.max(most, bytesOf(history));
  }
  return most;
}

describe('the statistics of a link', () => {
  test('that people from a thousand pages visit every hour take at most 250 kB', () => {
    const most = visitForDays((hour) =>
      Array.from({ length: 50 }, (_, visit) => {
        const referrer = visit % 3 === 0 ? visit % 7 : (hour * 50 + visit * 7919) % 1000;
        return [tallyKey('referrers', `referrer-${referrer}.example.com`), 1 + (visit % 5)];
      }),
    );
    expect(most).toBeLessThan(MAX_BYTES);
    expect(most).toBeGreaterThan(MAX_BYTES / 4);
  });

  test('take at most 250 kB, whatever referrers are made up', () => {
    const most = visitForDays((hour) =>
      Array.from({ length: 100 }, (_, number) => [
        tallyKey('referrers', `${hour}-${number}-${'made-up-'.repeat(6)}.example`),
        number,
      ]),
    );
    expect(most).toBeLessThan(MAX_BYTES);
  });
});
