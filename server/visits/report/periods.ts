import {
  STATISTICS_POINTS_DEFAULT,
  STATISTICS_POINTS_MAX,
  type StatisticsQuery,
  type StatisticsUnit,
} from '../../../shared/statistics.ts';
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import { invalidField } from '../../lib/invalid-field.ts';
import { KNOWN_DAYS } from '../../store/visits.ts';
import { Calendar } from './calendar.ts';

/** About the longest that periods can be: too many are rejected before they are computed. */
const LONGEST_MS = { hour: HOUR_MS, day: 25 * HOUR_MS, month: 31 * DAY_MS + HOUR_MS };
const DATE_LENGTH = '2030-01-31'.length;

export type Periods = {
  unit: StatisticsUnit;
  timeZone: string;
  /** In order; never empty. Milliseconds since the epoch. */
  starts: number[];
  /** Of the last one. */
  end: number;
  /** Start of as many periods before the first one. */
  previous: number;
  /** When it was asked. */
  now: number;
};

/** @throws ServiceError `invalid_request` */
export function toPeriods(query: StatisticsQuery, now: number): Periods {
  const { unit = 'day', timeZone = 'UTC' } = query;
  const calendar = new Calendar(timeZone);
  const last = calendar.startOf(
    unit,
    query.to === undefined ? now : lastMoment(query.to, calendar),
  );
  const first =
    query.from === undefined
      ? calendar.plus(unit, last, 1 - STATISTICS_POINTS_DEFAULT[unit])
      : calendar.startOf(unit, firstMoment(query.from, calendar));
  if (first < 0) throw invalidField('from', 'Must not be before 1970.');
  if (first > last) throw invalidField('from', 'Must not be later than "to".');
  const knownDays = unit === 'month' ? Number.POSITIVE_INFINITY : KNOWN_DAYS[unit];
  if (first < now - (now % DAY_MS) - (knownDays - 1) * DAY_MS) {
    const longer = unit === 'hour' ? 'day' : 'month';
    throw invalidField(
      'from',
      `Visits are known by ${unit} for ${knownDays} days. Use a later time, or "unit=${longer}".`,
    );
  }
  if ((last - first) / LONGEST_MS[unit] >= STATISTICS_POINTS_MAX) {
    throw invalidField('from', `At most ${STATISTICS_POINTS_MAX} periods can be listed at once.`);
  }
  const starts = [first];
  for (let start = first; start < last; ) {
    start = calendar.plus(unit, start, 1);
    starts.push(start);
  }
  const previous = calendar.plus(unit, first, -starts.length);
  return { unit, timeZone, starts, end: calendar.plus(unit, last, 1), previous, now };
}

function firstMoment(value: string, calendar: Calendar): number {
  return value.length === DATE_LENGTH ? startOfDate(value, calendar) : Date.parse(value);
}

function lastMoment(value: string, calendar: Calendar): number {
  if (value.length !== DATE_LENGTH) return Date.parse(value);
  return calendar.plus('day', startOfDate(value, calendar), 1) - 1;
}

function startOfDate(date: string, calendar: Calendar): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return calendar.startOfDay(year, month - 1, day);
}
