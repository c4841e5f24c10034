import type { StatisticsUnit } from '../../../shared/statistics.ts';
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';

/**
 * Hours, days and months of a time zone. Local times are milliseconds that `Date` shows as that time in
 * UTC.
 */
export class Calendar {
  readonly #format: Intl.DateTimeFormat | undefined;

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
    const local = this.#toLocal(time);
    // An hour that comes twice, when clocks are set back, is two hours.
    if (unit === 'hour') return time - modulo(local, HOUR_MS);
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
