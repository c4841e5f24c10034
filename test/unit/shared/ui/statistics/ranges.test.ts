import { expect, onTestFinished, test, vi } from 'vitest';
import {
  browserTimeZone,
  dateIn,
  isValid,
  plusDays,
  previousQuery,
  type RangeName,
  readChoice,
  toQuery,
  writeChoice,
} from '../../../../../shared/ui/statistics/state/ranges.ts';
import { aReport } from './a-report.ts';

const NONE = { from: '', to: '' };
/** In Auckland it is the next day. */
const NOW = new Date('2026-03-31T20:30:00Z');

const queryOf = (range: RangeName, timeZone = 'UTC') =>
  toQuery({ range, dates: NONE, timeZone }, NOW);
const customQuery = (from: string, to: string) =>
  toQuery({ range: 'custom', dates: { from, to }, timeZone: 'UTC' }, NOW);

test('the last 24 hours are by hour, with the current one', () => {
  expect(queryOf('hours24')).toEqual({
    unit: 'hour',
    from: '2026-03-30T21:30:00.000Z',
    timeZone: 'UTC',
  });
});

test.each<[RangeName, string, string]>([
  ['days7', 'UTC', '2026-03-25'],
  ['days30', 'UTC', '2026-03-02'],
  ['days90', 'UTC', '2026-01-01'],
  ['days7', 'Pacific/Auckland', '2026-03-26'],
])('%s in %s begin on %s', (range, timeZone, from) => {
  expect(queryOf(range, timeZone)).toEqual({ unit: 'day', from, timeZone });
});

test.each([
  ['UTC', '2025-04-01'],
  ['Pacific/Auckland', '2025-05-01'],
])('12 months in %s begin on %s', (timeZone, from) => {
  expect(queryOf('months12', timeZone)).toEqual({ unit: 'month', from, timeZone });
});

test.each([
  ['two days', '2026-03-30', '2026-03-31', 'hour'],
  ['three days', '2026-03-29', '2026-03-31', 'day'],
  ['two days, too long ago for hours', '2025-12-01', '2025-12-02', 'day'],
  ['92 days', '2025-12-30', '2026-03-31', 'day'],
  ['93 days', '2025-12-29', '2026-03-31', 'month'],
  ['two days, too long ago for days', '2025-01-01', '2025-01-02', 'month'],
])('%s are listed by a unit that the server knows', (_, from, to, unit) => {
  expect(customQuery(from, to)).toEqual({ unit, from, to, timeZone: 'UTC' });
});

test('two dates are valid in order', () => {
  expect(isValid({ from: '2026-03-30', to: '2026-03-30' })).toBe(true);
  expect(isValid({ from: '2026-03-31', to: '2026-03-30' })).toBe(false);
  expect(isValid({ from: '', to: '2026-03-30' })).toBe(false);
  // As a browser reports them while a year is typed.
  for (const from of ['0002-03-30', '0020-03-30', '0202-03-30', '20260-03-30'])
    expect(isValid({ from, to: '2026-03-30' })).toBe(false);
});

test('dates are those of the time zone', () => {
  expect(dateIn('UTC', NOW)).toBe('2026-03-31');
  expect(dateIn('Pacific/Auckland', NOW)).toBe('2026-04-01');
  expect(plusDays('2026-03-01', -1)).toBe('2026-02-28');
});

test.each([
  ['hour', 2, '2026-03-27T21:00:00.000Z', '2026-03-27T22:00:00.000Z'],
  ['day', 30, '2026-02-26', '2026-03-27'],
  ['month', 12, '2025-03-01', '2026-03-27'],
] as const)('the time before %ss is as long', (unit, count, from, to) => {
  const start = { start: '', people: 0, uniquePeople: 0, previews: 0, bots: 0 };
  const report = { ...aReport({ unit }), series: Array.from({ length: count }, () => start) };
  expect(previousQuery(report)).toEqual({ unit, timeZone: 'Europe/Berlin', from, to });
});

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  // What Chromium has on a system without one.
  ['Etc/Unknown', 'UTC'],
  ['', 'UTC'],
  ['Nowhere/City', 'UTC'],
])('the time zone of a browser is one that can be asked for: %j', (system, expected) => {
  vi.stubEnv('TZ', system);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(browserTimeZone()).toBe(expected);
  expect(dateIn(browserTimeZone(), new Date('2026-03-31T20:30:00Z'))).toBe('2026-03-31');
});

test('an address has what is chosen, and nothing that it can’t be', () => {
  const choice = {
    range: 'custom',
    dates: { from: '2026-01-01', to: '2026-01-31' },
    timeZone: 'UTC',
    tag: 'Print',
  } as const;
  const query = new URLSearchParams(writeChoice(choice));
  expect(readChoice(query)).toEqual({ ...choice });
  const first = readChoice(new URLSearchParams('range=years&from=now&zone=Nowhere'));
  expect(first).toEqual({
    range: 'days30',
    dates: { from: '', to: '' },
    timeZone: browserTimeZone(),
    tag: '',
  });
});
