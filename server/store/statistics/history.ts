import { addTo, type Statistics, type Tally } from '../visits.ts';
import {
  type Counts,
  dayOfHour,
  firstKept,
  fromCounts,
  monthOfDay,
  timeOfDay,
  timeOfHour,
  timeOfMonth,
} from './retention.ts';
import {
  addAll,
  keepTop,
  limitKeyBytes,
  newTallies,
  type Tallies,
  toTallyRecord,
} from './tallies.ts';

/** By the number of an hour, day or month. */
export type Series = Map<number, Counts>;
export type TallySeries = Map<number, Tallies>;

/**
 * All that is known of the visits of a link or an account. Adding visits and rolling them up in any
 * order has the same result, except for values of visits that are written more than a day late: those
 * may be counted as `other`.
 */
export class History {
  readonly hours: Series = new Map();
  readonly days: Series = new Map();
  readonly months: Series = new Map();
  readonly talliesOfDays: TallySeries = new Map();
  readonly talliesOfMonths: TallySeries = new Map();

  addCounts(hour: number, counts: Counts): void {
    addCountsTo(this.hours, hour, counts);
  }

  /** @param dimension index in `DIMENSIONS` */
  addPeople(hour: number, dimension: number, key: string, people: number): void {
    const day = dayOfHour(hour);
    let tallies = this.talliesOfDays.get(day);
    if (!tallies) {
      tallies = newTallies();
      this.talliesOfDays.set(day, tallies);
    }
    addTo(tallies[dimension] as Tally, key, people);
  }

  addHistory(other: History): void {
    for (const name of ['hours', 'days', 'months'] as const) {
      for (const [period, counts] of other[name]) addCountsTo(this[name], period, counts);
    }
    for (const name of ['talliesOfDays', 'talliesOfMonths'] as const) {
      for (const [period, tallies] of other[name]) addTalliesTo(this[name], period, tallies);
    }
  }

  /**
   * Sums up what is too old for its precision.
   *
   * @param now an hour that is later than the latest visit. @default the hour of the latest visit
   */
  rollUp(now = 0): this {
    let latestHour = now;
    for (const hour of this.hours.keys()) latestHour = Math.max(latestHour, hour);
    const latest = dayOfHour(latestHour);
    const first = firstKept(latest);
    move(this.hours, first.hour, (hour, counts) => addCountsTo(this.days, dayOfHour(hour), counts));
    move(this.days, first.day, (day, counts) => addCountsTo(this.months, monthOfDay(day), counts));
    for (const [day, tallies] of this.talliesOfDays) if (day < first.openDay) keepTop(tallies);
    move(this.talliesOfDays, first.talliesOfDay, (day, tallies) =>
      addTalliesTo(this.talliesOfMonths, monthOfDay(day), tallies),
    );
    move(this.talliesOfMonths, first.talliesOfMonth, () => {});
    for (const [month, tallies] of this.talliesOfMonths) {
      if (month < first.openMonth) keepTop(tallies);
    }
    limitKeyBytes([...this.talliesOfDays.values(), ...this.talliesOfMonths.values()]);
    return this;
  }

  /** @param now the current hour */
  toStatistics(now: number): Statistics {
    this.rollUp(now);
    for (const series of [this.talliesOfDays, this.talliesOfMonths]) {
      for (const tallies of series.values()) keepTop(tallies);
    }
    const counts = (series: Series, timeOf: (period: number) => number) =>
      inOrder(series).map(([period, counts]) => ({ start: timeOf(period), ...fromCounts(counts) }));
    const tallies = (series: TallySeries, timeOf: (period: number) => number) =>
      inOrder(series).map(([period, tallies]) => ({
        start: timeOf(period),
        dimensions: toTallyRecord(tallies),
      }));
    return {
      hours: counts(this.hours, timeOfHour),
      days: counts(this.days, timeOfDay),
      months: counts(this.months, timeOfMonth),
      talliesOfDays: tallies(this.talliesOfDays, timeOfDay),
      talliesOfMonths: tallies(this.talliesOfMonths, timeOfMonth),
    };
  }
}

export function inOrder<T>(series: Map<number, T>): [period: number, value: T][] {
  return [...series].sort(([a], [b]) => a - b);
}

/** Removes what is before `first`. */
function move<T>(
  series: Map<number, T>,
  first: number,
  add: (period: number, value: T) => void,
): void {
  for (const [period, value] of series) {
    if (period >= first) continue;
    series.delete(period);
    add(period, value);
  }
}

export function addCountsTo(series: Series, period: number, counts: Counts): void {
  const sum = series.get(period) ?? [0, 0, 0, 0];
  for (const [index, count] of counts.entries()) sum[index] = (sum[index] ?? 0) + count;
  series.set(period, sum);
}

export function addTalliesTo(series: TallySeries, period: number, tallies: Tallies): void {
  const sum = series.get(period) ?? newTallies();
  addAll(sum, tallies);
  series.set(period, sum);
}
