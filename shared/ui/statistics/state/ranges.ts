import type { PlainKey } from '../../../i18n/translate.ts';
import type { StatisticsQuery, StatisticsReport, StatisticsUnit } from '../../../statistics.ts';
import { isTimeZone } from '../../../time-zone.ts';

export const RANGES = ['hours24', 'days7', 'days30', 'days90', 'months12', 'custom'] as const;
export type RangeName = (typeof RANGES)[number];

export const RANGE_LABELS: Record<RangeName, PlainKey> = {
  hours24: 'range_24_hours',
  days7: 'range_7_days',
  days30: 'range_30_days',
  days90: 'range_90_days',
  months12: 'range_12_months',
  custom: 'range_custom',
};

/** Dates such as `2030-01-31`; both are included. */
export type Dates = { from: string; to: string };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = { days7: 7, days30: 30, days90: 90 } as const;
/** Longest custom ranges by hour and by day: longer ones would have bars too narrow to see. */
const HOURS_MAX_DAYS = 2;
const DAYS_MAX_DAYS = 92;
/** The server knows hours and days for this long. */
const KNOWN_DAYS = { hour: 90, day: 400 } as const;

type PeriodsOfReport = Pick<StatisticsReport, 'unit' | 'timeZone' | 'from' | 'series'>;
type RangeChoice = { range: RangeName; dates: Dates; timeZone: string };

/** Returns the query for a range that ends now, or the custom one. */
export function toQuery({ range, dates, timeZone }: RangeChoice, now: Date): StatisticsQuery {
  const today = dateIn(timeZone, now);
  switch (range) {
    case 'hours24':
      return { unit: 'hour', from: new Date(now.getTime() - 23 * HOUR_MS).toISOString(), timeZone };
    case 'months12':
      return { unit: 'month', from: plusMonths(today, -11), timeZone };
    case 'custom':
      return { unit: unitOf(dates, today), ...dates, timeZone };
    default:
      return { unit: 'day', from: plusDays(today, 1 - DAYS[range]), timeZone };
  }
}

/** What statistics are about. */
export type StatisticsChoice = RangeChoice & {
  /** Empty for all links. */
  tag: string;
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Reads what the address of a page with statistics says. Values that it can't have are left out. */
export function readChoice(query: URLSearchParams): StatisticsChoice {
  const dateOf = (name: string) => DATE.exec(query.get(name) ?? '')?.[0] ?? '';
  const zone = query.get('zone') ?? '';
  return {
    range: RANGES.find((range) => range === query.get('range')) ?? 'days30',
    dates: { from: dateOf('from'), to: dateOf('to') },
    timeZone: [...otherTimeZones(), 'UTC'].find((name) => name === zone) ?? browserTimeZone(),
    tag: query.get('tag') ?? '',
  };
}

/** Returns the parameters of the address; those with their default are empty. */
export function writeChoice({ range, dates, timeZone, tag }: StatisticsChoice) {
  return {
    range: range === 'days30' ? '' : range,
    ...(range === 'custom' ? dates : { from: '', to: '' }),
    zone: timeZone === browserTimeZone() ? '' : timeZone,
    tag,
  };
}

/** Returns the query for as many periods before those of a report. */
export function previousQuery({ unit, timeZone, from, series }: PeriodsOfReport): StatisticsQuery {
  const count = series.length;
  if (unit === 'hour') {
    const before = (hours: number) => new Date(Date.parse(from) - hours * HOUR_MS).toISOString();
    return { unit, timeZone, from: before(count), to: before(1) };
  }
  const first = dateIn(timeZone, new Date(from));
  const start = unit === 'day' ? plusDays(first, -count) : plusMonths(first, -count);
  return { unit, timeZone, from: start, to: plusDays(first, -1) };
}

/** No visit is older. A year that is being typed is: `0002`, `0020`, `0202`. */
export const FIRST_DATE = '1970-01-01';

/** Whether both dates are there, at a time with visits, and in order. */
export function isValid({ from, to }: Dates): boolean {
  // Dates of later years have more digits.
  const areDates = [from, to].every((date) => date.length === FIRST_DATE.length);
  return areDates && from >= FIRST_DATE && from <= to;
}

/** Returns the date of a time in a time zone. */
export function dateIn(timeZone: string, time: Date): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    ...{ calendar: 'iso8601', numberingSystem: 'latn' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  }).formatToParts(time);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

export function plusDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, date.length);
}

/** The first day of the month that is so many months later. */
function plusMonths(date: string, months: number): string {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, date.length);
}

function unitOf({ from, to }: Dates, today: string): StatisticsUnit {
  const days = daysBetween(from, to) + 1;
  const age = daysBetween(from, today) + 1;
  if (days <= HOURS_MAX_DAYS && age < KNOWN_DAYS.hour) return 'hour';
  if (days <= DAYS_MAX_DAYS && age < KNOWN_DAYS.day) return 'day';
  return 'month';
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** Returns the time zone of this browser, such as `Europe/Berlin`; UTC if the system has none. */
export function browserTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  // Chromium says `Etc/Unknown`, and knows no such time zone.
  return isTimeZone(timeZone) ? timeZone : 'UTC';
}

/** Returns all other time zones that the browser knows, in alphabetical order. */
export function otherTimeZones(): string[] {
  const first = ['UTC', browserTimeZone()];
  return Intl.supportedValuesOf('timeZone').filter((name) => !first.includes(name));
}
