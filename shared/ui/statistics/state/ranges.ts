import type { PlainKey } from '../../../i18n/translate.ts';
import type { StatisticsQuery, StatisticsUnit } from '../../../statistics.ts';

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

export type RangeChoice = { range: RangeName; dates: Dates; timeZone: string };

/** The query for a range that ends now, or the custom one. */
export function toQuery({ range, dates, timeZone }: RangeChoice, now: Date): StatisticsQuery {
  const today = dateIn(timeZone, now);
  switch (range) {
    case 'hours24':
      return { unit: 'hour', from: new Date(now.getTime() - 23 * HOUR_MS).toISOString(), timeZone };
    case 'months12':
      return { unit: 'month', from: yearBefore(today), timeZone };
    case 'custom':
      return { unit: unitOf(dates, today), ...dates, timeZone };
    default:
      return { unit: 'day', from: plusDays(today, 1 - DAYS[range]), timeZone };
  }
}

/** Whether both dates are there and in order. */
export function isValid({ from, to }: Dates): boolean {
  return from !== '' && to !== '' && from <= to;
}

/** The date of a time in a time zone. */
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

/** The first day of the month 11 months ago, so that 12 months end with this one. */
function yearBefore(date: string): string {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, date.length);
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
