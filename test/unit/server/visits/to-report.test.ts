import { describe, expect, test } from 'vitest';
import type { Statistics, TalliesOfPeriod } from '../../../../server/store/visits.ts';
import { toPeriods } from '../../../../server/visits/report/periods.ts';
import { siteName, toReport } from '../../../../server/visits/report/to-report.ts';
import type { StatisticsQuery } from '../../../../shared/statistics.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** One visit in each hour from a time on. */
function visitedFrom(first: number, now: number): Statistics {
  const hours = [];
  for (let start = first; start <= now; start += HOUR_MS) {
    hours.push({ start, people: 1, uniquePeople: 1, previews: 0, bots: 0 });
  }
  return { hours, days: [], months: [], talliesOfDays: [], talliesOfMonths: [] };
}

/** What a visitor from news.example leaves on a day of UTC. */
function talliesOf(time: number): TalliesOfPeriod {
  const none = { browsers: new Map(), systems: new Map(), devices: new Map() };
  const dimensions = { ...none, countries: new Map(), targets: new Map(), links: new Map() };
  const referrers = new Map([['news.example', 1]]);
  return { start: time - (time % DAY_MS), dimensions: { ...dimensions, referrers } };
}

function reportOf(statistics: Statistics, query: StatisticsQuery, now: number) {
  return toReport(statistics, toPeriods(query, now), true);
}

// Offsets of whole hours, halves and quarters, on both sides of UTC, and days that begin in the middle of one in UTC.
const ZONES = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Chatham', 'Pacific/Fiji'];
/** With these minutes, before and after midnight of each zone. */
const HOURS = [0, 3, 10, 18, 23];
const MINUTES = [0, 14, 15, 30];

describe.each(ZONES)('in %s', (timeZone) => {
  test.each(MINUTES)('no visit is outside of all periods, %i minutes after the hour', (minute) => {
    for (const hour of HOURS) {
      const start = Date.UTC(2026, 10, 20, hour);
      const now = start + minute * 60_000;
      const visits = visitedFrom(start, now);
      for (const unit of ['hour', 'day', 'month'] as const) {
        const { totals, series } = reportOf(visits, { unit, timeZone }, now);
        expect(totals.people, `${unit} at ${hour}`).toBe(1);
        expect(series.at(-1)?.people, `the last ${unit} at ${hour}`).toBe(1);
      }
    }
  });

  test.each(['day', 'month'] as const)(
    'the values of today are in a report by %s at any hour',
    (unit) => {
      for (const hour of HOURS) {
        const now = Date.UTC(2026, 10, 20, hour, 8);
        const visits = { ...visitedFrom(now, now), talliesOfDays: [talliesOf(now)] };
        const { referrers, valuesTo } = reportOf(visits, { unit, timeZone }, now);
        expect(referrers, `at ${hour}`).toEqual([{ key: 'news.example', people: 1 }]);
        expect(Date.parse(valuesTo ?? ''), `at ${hour}`).toBeGreaterThan(now);
      }
    },
  );

  test('each visit is in one of two ranges that follow each other', () => {
    const now = Date.UTC(2026, 10, 20, 18, 40);
    const visits = {
      ...visitedFrom(now - (now % DAY_MS) - 3 * DAY_MS, now),
      talliesOfDays: [3, 2, 1, 0].map((days) => talliesOf(now - days * DAY_MS)),
    };
    const report = (from: string, to?: string) =>
      reportOf(visits, { unit: 'hour', timeZone, from, ...(to && { to }) }, now);
    const [earlier, later] = [report('2026-11-17', '2026-11-18'), report('2026-11-19')];
    const whole = report('2026-11-17');
    expect(earlier.totals.people + later.totals.people).toBe(whole.totals.people);
    const valuesOf = ({ referrers }: typeof whole) => referrers[0]?.people ?? 0;
    expect(valuesOf(earlier) + valuesOf(later)).toBe(valuesOf(whole));
    expect(valuesOf(whole)).toBeGreaterThan(2);
  });
});

test('values beyond the 24 most frequent ones are added to those that the store has summed up', () => {
  const now = Date.UTC(2026, 10, 20, 12, 34);
  const today = talliesOf(now);
  const hosts = Array.from({ length: 27 }, (_, index) => [`${index}.example`, 50 - index] as const);
  today.dimensions.referrers = new Map([...hosts, ['other', 5]]);
  const { referrers } = reportOf({ ...visitedFrom(now, now), talliesOfDays: [today] }, {}, now);
  expect(referrers).toEqual([
    { key: 'other', people: 5 + 26 + 25 + 24 },
    ...hosts.slice(0, 24).map(([key, people]) => ({ key, people })),
  ]);
});

test.each<[string, StatisticsQuery, string, string]>([
  ['days in UTC are those of the report', { from: '2026-11-18', to: '2026-11-19' }, '18', '20'],
  [
    'a local day is counted by one whole day',
    { from: '2026-11-18', to: '2026-11-18', timeZone: 'Asia/Kolkata' },
    ...(['18', '19'] as [string, string]),
  ],
  [
    'a part of a day is counted by the days that it is in',
    { unit: 'hour', from: '2026-11-18T20:00:00Z', to: '2026-11-19T03:00:00Z' },
    ...(['18', '20'] as [string, string]),
  ],
  [
    'the last 24 hours are counted by today',
    { unit: 'hour', from: '2026-11-19T13:00:00Z' },
    ...(['20', '21'] as [string, string]),
  ],
])('a report says which days its values are of: %s', (_, query, from, to) => {
  const now = Date.UTC(2026, 10, 20, 12, 34);
  const report = reportOf(visitedFrom(now, now), query, now);
  expect([report.valuesFrom, report.valuesTo]).toEqual(
    [from, to].map((day) => `2026-11-${day}T00:00:00.000Z`),
  );
});

test.each([
  ['Europe/Berlin', '2026-03-01'],
  ['America/New_York', '2026-03-01'],
  ['UTC', '2026-03-15'],
])('a report of long ago says which months its values are of: in %s from %s', (timeZone, from) => {
  const now = Date.UTC(2026, 10, 20, 12, 34);
  const report = reportOf(visitedFrom(now, now), { unit: 'month', from, timeZone }, now);
  expect([report.valuesFrom, report.valuesTo]).toEqual([
    '2026-03-01T00:00:00.000Z',
    '2026-12-01T00:00:00.000Z',
  ]);
});

test.each([
  ['google.de', 'Google'],
  ['google.co.uk', 'Google'],
  ['images.google.de', 'Google'],
  ['mail.google.com', 'Gmail'],
  ['com.google.android.gm', 'Gmail'],
  ['com.slack', 'Slack'],
  ['org.telegram.messenger', 'Telegram'],
  ['com.whatsapp', 'WhatsApp'],
  ['t.co', 'X'],
  ['x.com', 'X'],
  ['l.facebook.com', 'Facebook'],
  ['lnkd.in', 'LinkedIn'],
  ['com.linkedin.android', 'LinkedIn'],
  ['chatgpt.com', 'ChatGPT'],
  ['news.ycombinator.com', 'Hacker News'],
])('a referrer %s is shown as %s', (host, name) => {
  expect(siteName(host)).toBe(name);
});

test.each([
  'example.com',
  'notgoogle.com',
  'google.example.com',
  'localhost',
  'com.example.unknown',
  'direct',
  'other',
  '{}',
])('a referrer %s keeps its own name', (host) => {
  expect(siteName(host)).toBe(host);
});
