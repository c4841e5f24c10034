import { describe, expect, test } from 'vitest';
import {
  highest,
  indexAt,
  slotOf,
  ticksUpTo,
  toBars,
} from '../../../../../shared/ui/statistics/bars.ts';
import { SERIES } from '../../../../../shared/ui/statistics/report.ts';
import { aReport } from './a-report.ts';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [42, [0, 10, 20, 30, 40, 50]],
  [1000, [0, 200, 400, 600, 800, 1000]],
])('the axis up to %i has the lines %j', (max, ticks) => {
  expect(ticksUpTo(max)).toEqual(ticks);
});

test('the axis has few lines, with whole numbers, and reaches every value', () => {
  for (let max = 0; max < 5000; max += 1) {
    const ticks = ticksUpTo(max);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks.every(Number.isInteger)).toBe(true);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
  }
});

describe('the bars', () => {
  const points = aReport().series;

  test('are stacked, and zeros have none', () => {
    const bars = toBars({ points, shown: SERIES, top: 10, isMirrored: false });
    expect(bars.map(({ series, y, height }) => [series, y, height])).toEqual([
      ['people', 60, 40],
      ['previews', 40, 20],
      ['bots', 30, 10],
      ['people', 90, 10],
    ]);
    expect(bars.map(({ x }) => x < 50)).toEqual([true, true, true, false]);
  });

  test('of hidden series are left out', () => {
    const bars = toBars({ points, shown: ['bots'], top: 1, isMirrored: false });
    expect(bars).toMatchObject([{ series: 'bots', y: 0, height: 100 }]);
    expect(highest(points, ['bots'])).toBe(1);
    expect(highest(points, SERIES)).toBe(7);
    expect(highest(points, [])).toBe(0);
  });

  test('run from right to left where the text does', () => {
    expect(slotOf(0, 4, false)).toEqual({ start: 0, width: 25 });
    expect(slotOf(0, 4, true)).toEqual({ start: 75, width: 25 });
    const [first] = toBars({ points, shown: SERIES, top: 10, isMirrored: true });
    expect(first?.x).toBeGreaterThan(50);
  });

  test.each([
    [0, 0, 3],
    [0.26, 1, 2],
    [1, 3, 0],
    [-0.1, 0, 3],
  ])('at %d of the width belong to period %i, or %i if mirrored', (place, index, mirrored) => {
    expect(indexAt(place, 4, false)).toBe(index);
    expect(indexAt(place, 4, true)).toBe(mirrored);
  });
});
