import {
  STATISTICS_POINTS_DEFAULT,
  STATISTICS_POINTS_MAX,
  type StatisticsQuery,
  type StatisticsUnit,
} from '../../../shared/statistics.ts';
import { invalidField } from '../../lib/service-error.ts';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import { KNOWN_DAYS } from '../../store/visits.ts';

/**
 * Hours, days and months of a time zone. Local times are milliseconds that `Date` shows as that time in
 * UTC.
 */
export class Calendar {
  readonly #format: Intl.DateTimeFormat | undefined;
  /** A day without a change of clocks: thousands of hours would each be formatted otherwise. */
  #steady = { from: 0, until: 0, offset: 0 };

  /** @param timeZone a valid IANA name */
  constructor(timeZone: string) {
    if (timeZone === 'UTC') return;
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  }

  /** The first moment of a local day. If clocks skip midnight then, the day begins later. */
  startOfDay(year: number, month: number, day: number): number {
    return this.#toTime(Date.UTC(year, month, day));
  }

  /** Start of the hour, day or month that contains a time. */
  startOf(unit: StatisticsUnit, time: number): number {
    // An hour that comes twice, when clocks are set back, is two hours.
    if (unit === 'hour') return time - modulo(time + this.#steadyOffset(time), HOUR_MS);
    return this.plus(unit, time, 0);
  }

  /** Start of the hour, day or month that comes some periods after the one that contains a time. */
  plus(unit: StatisticsUnit, time: number, periods: number): number {
    if (unit === 'hour') return this.startOf('hour', time) + periods * HOUR_MS;
    const local = new Date(this.#toLocal(time));
    const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
    return unit === 'day'
      ? this.startOfDay(year, month, day + periods)
      : this.startOfDay(year, month + periods, 1);
  }

  #toTime(local: number): number {
    // Clocks change by less than a day.
    const before = local - this.#offset(local - DAY_MS);
    if (this.#toLocal(before) === local) return before;
    const after = local - this.#offset(local + DAY_MS);
    return this.#toLocal(after) === local ? after : before;
  }

  #toLocal(time: number): number {
    return time + this.#offset(time);
  }

  #steadyOffset(time: number): number {
    const { from, until, offset } = this.#steady;
    if (from <= time && time < until) return offset;
    const found = this.#offset(time);
    const next = time + DAY_MS;
    if (this.#offset(next) === found) this.#steady = { from: time, until: next, offset: found };
    return found;
  }

  #offset(time: number): number {
    if (!this.#format) return 0;
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of this.#format.formatToParts(time)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    const local = Date.UTC(year, month - 1, day, hour, minute, second);
    return local - (time - modulo(time, 1000));
  }
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

/** About the longest that periods can be: too many are rejected before they are computed. */
const LONGEST_MS = { hour: HOUR_MS, day: 25 * HOUR_MS, month: 31 * DAY_MS + HOUR_MS };
const DATE_LENGTH = '2030-01-31'.length;

export type Periods = {
  unit: StatisticsUnit;
  timeZone: string;
  /** In order; never empty. Milliseconds since the epoch. */
  starts: number[];
  /** End of the last period. */
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
