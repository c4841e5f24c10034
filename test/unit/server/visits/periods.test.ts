import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../server/lib/service-error.ts';
import { toPeriods } from '../../../../server/visits/report/periods.ts';
import type { StatisticsQuery } from '../../../../shared/statistics.ts';

const NOW = Date.UTC(2026, 10, 20, 12, 34);

function periodsOf(query: StatisticsQuery, now = NOW) {
  const { starts, end } = toPeriods(query, now);
  return {
    starts: starts.map((start) => new Date(start).toISOString()),
    end: new Date(end).toISOString(),
  };
}

function issueOf(query: StatisticsQuery): unknown {
  try {
    toPeriods(query, NOW);
  } catch (error) {
    if (error instanceof ServiceError) return [error.code, error.details.issues];
  }
  return undefined;
}

describe('the periods of statistics', () => {
  test('are the last 30 days in UTC by default', () => {
    const { starts, end } = periodsOf({});
    expect(starts).toHaveLength(30);
    expect(starts[0]).toBe('2026-10-22T00:00:00.000Z');
    expect(starts.at(-1)).toBe('2026-11-20T00:00:00.000Z');
    expect(end).toBe('2026-11-21T00:00:00.000Z');
  });

  test('are the last 48 hours or 12 months by default with these units', () => {
    const hours = periodsOf({ unit: 'hour' });
    expect(hours.starts).toHaveLength(48);
    expect(hours.end).toBe('2026-11-20T13:00:00.000Z');
    const months = periodsOf({ unit: 'month' });
    expect(months.starts).toHaveLength(12);
    expect(months.starts[0]).toBe('2025-12-01T00:00:00.000Z');
    expect(months.end).toBe('2026-12-01T00:00:00.000Z');
  });

  test('include those that contain "from" and "to"', () => {
    const days = periodsOf({ from: '2026-11-01T23:59:00+02:00', to: '2026-11-03' });
    expect(days.starts.map((start) => start.slice(0, 10))).toEqual([
      '2026-11-01',
      '2026-11-02',
      '2026-11-03',
    ]);
    const hours = periodsOf({ unit: 'hour', from: '2026-11-03', to: '2026-11-03' });
    expect(hours.starts).toHaveLength(24);
    expect(hours.end).toBe('2026-11-04T00:00:00.000Z');
  });

  test.each([
    // Clocks are set back on 2026-10-25 at 01:00Z.
    ['Europe/Berlin', '2026-10-25', 25, '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ['America/New_York', '2026-11-01', 25, '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-01', 24, '2026-10-31T18:30:00.000Z', '2026-11-01T18:30:00.000Z'],
    ['Pacific/Auckland', '2026-09-27', 23, '2026-09-26T12:00:00.000Z', '2026-09-27T11:00:00.000Z'],
    // By half an hour, from 02:00 to 02:30.
    [
      'Australia/Lord_Howe',
      '2026-10-04',
      24,
      '2026-10-03T13:30:00.000Z',
      '2026-10-04T13:00:00.000Z',
    ],
  ])('follow daylight saving time in %s', (timeZone, day, hours, start, end) => {
    const byDay = periodsOf({ from: day, to: day, timeZone });
    expect(byDay).toEqual({ starts: [start], end });
    const byHour = periodsOf({ from: day, to: day, timeZone, unit: 'hour' });
    expect([byHour.starts[0], byHour.end]).toEqual([start, end]);
    expect(byHour.starts).toHaveLength(hours);
    expect(new Set(byHour.starts).size).toBe(hours);
  });

  test('begin when clocks have skipped midnight', () => {
    // In Cairo, 2026-04-24 begins at 01:00.
    const timeZone = 'Africa/Cairo';
    expect(periodsOf({ from: '2026-04-23', to: '2026-04-24', timeZone })).toEqual({
      starts: ['2026-04-22T22:00:00.000Z', '2026-04-23T22:00:00.000Z'],
      end: '2026-04-24T21:00:00.000Z',
    });
  });

  test('are months of the time zone', () => {
    const timeZone = 'Europe/Berlin';
    const { starts, end } = periodsOf({ unit: 'month', from: '2026-09-15', timeZone });
    expect(starts).toEqual([
      '2026-08-31T22:00:00.000Z',
      '2026-09-30T22:00:00.000Z',
      '2026-10-31T23:00:00.000Z',
    ]);
    expect(end).toBe('2026-11-30T23:00:00.000Z');
  });

  test.each<[string, StatisticsQuery, RegExp]>([
    ['is after "to"', { from: '2026-11-02', to: '2026-11-01' }, /^Must not be later than "to"/],
    ['is after now', { from: '2027-01-01' }, /^Must not be later than "to"/],
    [
      'needs hours of long ago',
      { unit: 'hour', from: '2026-08-22' },
      /by hour for 90 days.*unit=day/,
    ],
    [
      'needs days of long ago',
      { unit: 'day', from: '2025-10-16' },
      /by day for 400 days.*unit=month/,
    ],
    ['is before 1970', { unit: 'month', from: '0001-01-01' }, /^Must not be before 1970/],
    ['is too far from "to"', { unit: 'month', from: '2000-01-01', to: '2200-01-01' }, /^At most/],
    [
      'is too far from a late "to"',
      { from: '2026-11-01', to: '9999-12-31' },
      /^At most 2200 periods/,
    ],
  ])('are rejected if "from" %s', (_what, query, message) => {
    const issues = [{ path: 'from', message: expect.stringMatching(message) }];
    expect(issueOf(query)).toEqual(['invalid_request', issues]);
  });

  test('reach back 90 days by hour and 400 by day', () => {
    expect(periodsOf({ unit: 'hour', from: '2026-08-23' }).starts.length).toBeGreaterThan(2100);
    expect(periodsOf({ unit: 'day', from: '2025-10-17' }).starts).toHaveLength(400);
  });
});
