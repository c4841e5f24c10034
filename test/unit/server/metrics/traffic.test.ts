import { describe, expect, test } from 'vitest';
import { DURATION_BOUNDS_MS, DurationHistogram, quantileMs } from '../../../../server/lib/time.ts';
import { Traffic } from '../../../../server/metrics/traffic.ts';

const countsOf = (...durations: number[]) => {
  const histogram = new DurationHistogram();
  for (const ms of durations) histogram.record(ms);
  return histogram.counts;
};

describe('a duration histogram', () => {
  test('counts a duration in the first bucket whose bound it does not exceed', () => {
    for (const [bucket, bound] of DURATION_BOUNDS_MS.entries()) {
      expect(countsOf(bound)[bucket]).toBe(1);
      expect(countsOf(bound + 0.01)[bucket + 1]).toBe(1);
    }
  });

  test('adds up all durations', () => {
    const histogram = new DurationHistogram();
    histogram.record(3);
    histogram.record(20_000);
    expect(histogram.sumMs).toBe(20_003);
  });

  test('has a quantile: the upper bound of its bucket', () => {
    const counts = countsOf(...Array(98).fill(0.1), 7, 90);
    expect(quantileMs(counts, 0.5)).toBe(0.5);
    expect(quantileMs(counts, 0.99)).toBe(10);
    expect(quantileMs(counts, 1)).toBe(100);
    expect(quantileMs(countsOf(99_999), 0.5)).toBe(10_000);
    expect(quantileMs(countsOf(), 0.5)).toBeUndefined();
  });
});

test('requests with any method that a client makes up are counted together', () => {
  const traffic = new Traffic();
  for (const method of ['PROPFIND', 'MKCOL', 'GET']) traffic.countRequest(method, 'none', 404, 1);
  const unknown = [...traffic.requests].filter(({ route }) => route === 'none');
  expect(unknown.map(({ method }) => method)).toEqual(['other', 'GET']);
});
