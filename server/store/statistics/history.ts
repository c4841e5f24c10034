import { addTo, type Statistics, type Tallies, tallyKey } from '../visits.ts';
import {
  addAll,
  addCounts,
  type Counts,
  dayOfHour,
  firstKept,
  fromCounts,
  HOURS_PER_DAY,
  isOf,
  keepFrequent,
  keepTop,
  limitKeys,
  monthOfDay,
  Series,
  TallySeries,
  timeOfDay,
  timeOfHour,
  timeOfMonth,
  toDimensions,
} from './series.ts';

const SERIES = ['hours', 'days', 'months'] as const;
const TALLIES = ['talliesOfDays', 'talliesOfMonths'] as const;

/** The values of a day take at most so many characters. Real ones take fewer. */
const DAY_CHARACTERS_MAX = 16 * 1024;
/** All values of one link take at most so many characters. */
const CHARACTERS_MAX = 32 * 1024;

/** On how many days there are visits before a day makes earlier ones old. */
const DECIDING_DAYS = 7;

/** Values of at least 2^10 people are kept when hours and days begin to be summed up. */
const NAMES_LEVEL = 10;
/** Then there are the hours of a day, the values of a day and a month, and sums of months. */
export const SHRINK_LEVEL_MAX = 20;

/**
 * All that is known of the visits of a link or an account, at most 250 kB. Adding visits and rolling them
 * up in any order has the same result, except for values of visits that are written more than a day late:
 * those may be counted as `other`.
 */
export class History {
  readonly hours = new Series();
  readonly days = new Series();
  readonly months = new Series();
  readonly talliesOfDays = new TallySeries();
  readonly talliesOfMonths = new TallySeries();
  /** Random, so that links which are visited all the time are not all rolled up in the same second. */
  #hoursUntilRollUp = Math.ceil(Math.random() * HOURS_PER_DAY);

  /** @param hour number of hours since the epoch */
  add(hour: number, counts: Counts, tallies: Tallies): void {
    if (hour !== this.hours.latest) this.#hoursUntilRollUp--;
    this.hours.add(hour, counts);
    if (tallies.size > 0) {
      const day = this.talliesOfDays.get(dayOfHour(hour));
      addAll(day, tallies);
      limitKeys([day], DAY_CHARACTERS_MAX);
      this.talliesOfDays.set(dayOfHour(hour), day);
    }
    if (this.#hoursUntilRollUp === 0) this.rollUp();
  }

  /** Start of the last hour, day or month with people, as exact as it is known; 0 if there were none. */
  get lastVisit(): number {
    const { hours, days, months } = this;
    const hour = hours.latestWithPeople;
    if (hour !== undefined) return timeOfHour(hour);
    const day = days.latestWithPeople;
    if (day !== undefined) return timeOfDay(day);
    const month = months.latestWithPeople;
    return month === undefined ? 0 : timeOfMonth(month);
  }

  /** People by the start of their day, as far as their hours are known. @param from number of the first hour */
  peoplePerDay(from: number): Map<number, number> {
    const perDay = new Map<number, number>();
    this.hours.eachSince(from, (hour, people) => {
      if (people > 0) addTo(perDay, timeOfDay(dayOfHour(hour)), people);
    });
    return perDay;
  }

  addHistory(other: History): this {
    for (const name of SERIES) {
      for (const [period, counts] of other[name]) this[name].add(period, counts);
    }
    for (const name of TALLIES) {
      for (const [period, tallies] of other[name]) this[name].add(period, tallies);
    }
    return this;
  }

  /**
   * Sums up what is too old for its precision.
   *
   * @param latest the day from which its age is counted. @default that of the latest visit, see `#latestDay`
   * @param share of the time for which each precision is kept. @default 1
   */
  rollUp(latest = this.#latestDay, share = 1): this {
    this.#hoursUntilRollUp = HOURS_PER_DAY;
    const first = firstKept(latest, share);
    const { hours, days, months, talliesOfDays, talliesOfMonths } = this;
    for (const [hour, counts] of hours.takeBefore(first.hour)) days.add(dayOfHour(hour), counts);
    for (const [day, counts] of days.takeBefore(first.day)) months.add(monthOfDay(day), counts);
    update(talliesOfDays, (day, tallies) => day < first.openDay && keepTop(tallies));
    for (const [day, tallies] of talliesOfDays.takeBefore(first.talliesOfDay)) {
      talliesOfMonths.add(monthOfDay(day), tallies);
    }
    talliesOfMonths.takeBefore(first.talliesOfMonth);
    update(talliesOfMonths, (month, tallies) => month < first.openMonth && keepTop(tallies));
    this.#limitKeys();
    return this;
  }

  /** The same with a day on which there may be no visit. */
  rollUpUntil(day: number): this {
    return this.rollUp(Math.max(day, this.#latestDay));
  }

  /**
   * The day of the latest visit, unless that is long after most others: a clock that was years ahead for a few days
   * must not make all of them old. As long as they are known by hour, so are the days that decide.
   */
  get #latestDay(): number {
    const days = [...new Set([...this.hours].map(([hour]) => dayOfHour(hour)))];
    const before = days.at(-DECIDING_DAYS);
    return before === undefined ? 0 : Math.min(days.at(-1) ?? 0, before + DECIDING_DAYS);
  }

  /** About what it takes in memory, besides what every history takes. */
  get bytes(): number {
    const { hours, days, months, talliesOfDays, talliesOfMonths } = this;
    return hours.bytes + days.bytes + months.bytes + talliesOfDays.bytes + talliesOfMonths.bytes;
  }

  /**
   * Makes it smaller: the rarest values are summed up as `other`, and above `NAMES_LEVEL`, hours and days are
   * summed up sooner.
   *
   * @param level up to `SHRINK_LEVEL_MAX`. The higher, the less is left.
   */
  shrink(level: number): void {
    if (level > NAMES_LEVEL) {
      const latest = dayOfHour(this.hours.latest ?? 0);
      this.rollUp(latest, 1 / 2 ** (level - NAMES_LEVEL));
    }
    for (const name of TALLIES) {
      for (const [period, tallies] of this[name]) {
        if (keepFrequent(tallies, 2 ** level)) this[name].set(period, tallies);
      }
    }
  }

  /** @param now the current hour */
  toStatistics(now: number): Statistics {
    const { hours, days, months, ...all } = new History().addHistory(this).rollUp(dayOfHour(now));
    const counts = (series: Series, timeOf: (period: number) => number) =>
      [...series].map(([period, counts]) => ({ start: timeOf(period), ...fromCounts(counts) }));
    const tallies = (series: TallySeries, timeOf: (period: number) => number) =>
      [...series].map(([period, tallies]) => {
        keepTop(tallies);
        return { start: timeOf(period), dimensions: toDimensions(tallies) };
      });
    return {
      hours: counts(hours, timeOfHour),
      days: counts(days, timeOfDay),
      months: counts(months, timeOfMonth),
      talliesOfDays: tallies(all.talliesOfDays, timeOfDay),
      talliesOfMonths: tallies(all.talliesOfMonths, timeOfMonth),
    };
  }

  #limitKeys(): void {
    const series = [this.talliesOfDays, this.talliesOfMonths];
    const entries = series.map((each) => [...each]);
    limitKeys(
      entries.flatMap((each) => each.map(([, tallies]) => tallies)),
      CHARACTERS_MAX,
    );
    for (const [index, each] of series.entries()) {
      for (const [period, tallies] of entries[index] ?? []) each.set(period, tallies);
    }
  }
}

/** Adds up the visits of links, as an account has those of all its links. */
export class LinksSum {
  readonly #counts = {
    hours: new Map<number, Counts>(),
    days: new Map<number, Counts>(),
    months: new Map<number, Counts>(),
  };
  readonly #tallies = {
    talliesOfDays: new Map<number, Tallies>(),
    talliesOfMonths: new Map<number, Tallies>(),
  };

  /** @param link all of its visits, or those of some periods */
  add(linkId: string, link: History): void {
    const key = tallyKey('links', linkId);
    for (const name of SERIES) {
      for (const [period, counts] of link[name]) {
        const sum = this.#counts[name].get(period) ?? [0, 0, 0, 0];
        addCounts(sum, counts);
        this.#counts[name].set(period, sum);
        if (counts[0] === 0) continue;
        const tallies =
          name === 'hours'
            ? this.#talliesOf('talliesOfDays', dayOfHour(period))
            : this.#talliesOf('talliesOfMonths', name === 'days' ? monthOfDay(period) : period);
        addTo(tallies, key, counts[0]);
      }
    }
    for (const name of TALLIES) {
      for (const [period, tallies] of link[name]) {
        const others = [...tallies].filter(([each]) => !isOf('targets', each));
        addAll(this.#talliesOf(name, period), others);
      }
    }
  }

  /** @param now the current hour */
  toStatistics(now: number): Statistics {
    const sum = new History();
    for (const name of SERIES) {
      const entries = [...this.#counts[name]].sort(([one], [other]) => one - other);
      sum[name].addLater(entries.map(([period, counts]) => [period, ...counts]));
    }
    for (const name of TALLIES) {
      for (const [period, tallies] of this.#tallies[name]) sum[name].set(period, tallies);
    }
    return sum.toStatistics(now);
  }

  #talliesOf(name: (typeof TALLIES)[number], period: number): Tallies {
    const tallies = this.#tallies[name].get(period) ?? new Map<string, number>();
    this.#tallies[name].set(period, tallies);
    return tallies;
  }
}

function update(series: TallySeries, change: (period: number, tallies: Tallies) => unknown): void {
  for (const [period, tallies] of series) {
    change(period, tallies);
    series.set(period, tallies);
  }
}

/** Periods are numbers of hours or days since the epoch, or of months since the year 0. */
type SeriesJson = [period: number, ...Counts][];
/** People by keys as in `Tallies`. */
type TallySeriesJson = [period: number, Record<string, number>][];

/** The statistics of a link or an account as JSON. What is empty is omitted. */
export type HistoryJson = {
  hours?: SeriesJson;
  days?: SeriesJson;
  months?: SeriesJson;
  talliesOfDays?: TallySeriesJson;
  talliesOfMonths?: TallySeriesJson;
};

export function toHistoryJson(history: History): HistoryJson {
  const json: HistoryJson = {};
  for (const name of SERIES) if (history[name].size > 0) json[name] = toSeries(history[name]);
  for (const name of TALLIES) if (history[name].size > 0) json[name] = toTallies(history[name]);
  return json;
}

export function fromHistoryJson(json: HistoryJson): History {
  const history = new History();
  for (const name of SERIES) {
    history[name].addLater(json[name] ?? []);
  }
  // Days mostly have the same values, which need not be in memory several times.
  const texts = new Map<string, string>();
  for (const name of TALLIES) {
    for (const [period, people] of json[name] ?? []) {
      const tallies = Object.entries(people).map(([key, number]): [string, number] => {
        const text = texts.get(key) ?? key;
        texts.set(text, text);
        return [text, number];
      });
      history[name].add(period, tallies);
    }
  }
  return history;
}

function toSeries(series: Series): SeriesJson {
  return [...series].map(([period, counts]) => [period, ...counts]);
}

function toTallies(series: TallySeries): TallySeriesJson {
  return [...series].map(([period, tallies]) => [period, Object.fromEntries(tallies)]);
}
