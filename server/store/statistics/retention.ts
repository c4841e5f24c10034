import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import { KNOWN_DAYS, VALUE_DAYS, type VisitCounts } from '../visits.ts';

/** How long visits are known with their dimensions, by month. */
const MONTH_TALLIES_FOR_MONTHS = 25;

export const HOURS_PER_DAY = 24;

/** Numbers of hours and days since the epoch, and of months since the year 0; all UTC. */
export const dayOfHour = (hour: number) => Math.floor(hour / HOURS_PER_DAY);
export const timeOfHour = (hour: number) => hour * HOUR_MS;
export const timeOfDay = (day: number) => day * DAY_MS;
export const timeOfMonth = (month: number) => Date.UTC(Math.floor(month / 12), month % 12);
export function monthOfDay(day: number): number {
  const date = new Date(timeOfDay(day));
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

/**
 * What is kept of visits, as the first hour, day or month. It depends on the day of the latest visit and
 * not on the time at which it is asked for, so that a journal always has the same result.
 *
 * @param latest day of the latest visit
 */
export function firstKept(latest: number) {
  const talliesOfDay = latest - VALUE_DAYS + 1;
  return {
    hour: (latest - KNOWN_DAYS.hour + 1) * HOURS_PER_DAY,
    day: latest - KNOWN_DAYS.day + 1,
    talliesOfDay,
    talliesOfMonth: monthOfDay(latest) - MONTH_TALLIES_FOR_MONTHS + 1,
    /** From here on, all values are kept: those of yesterday may still arrive. */
    openDay: latest - 1,
    /** From here on, all values are kept: days are still to be added. */
    openMonth: monthOfDay(talliesOfDay),
  };
}

/** People, unique people, previews, bots. */
export type Counts = [number, number, number, number];

export function addCounts(to: Counts, from: Counts): void {
  to[0] += from[0];
  to[1] += from[1];
  to[2] += from[2];
  to[3] += from[3];
}

export function toCounts({ people, uniquePeople, previews, bots }: VisitCounts): Counts {
  return [people, uniquePeople, previews, bots];
}

export function fromCounts([people, uniquePeople, previews, bots]: Counts): VisitCounts {
  return { people, uniquePeople, previews, bots };
}
