import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import {
  addTo,
  DIMENSIONS,
  type Dimension,
  KNOWN_DAYS,
  OTHER,
  type Tallies,
  type Tally,
  TOP_VALUES,
  VALUE_DAYS,
  type VisitCounts,
} from '../visits.ts';

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
 * Returns what is kept of visits, as the first hour, day or month. It depends on the day of the latest visit and
 * not on the time at which it is asked for, so that a journal always has the same result.
 *
 * @param latest day of the latest visit
 * @param share of the time for which each is kept
 */
export function firstKept(latest: number, share: number) {
  const last = (periods: number) => Math.ceil(periods * share) - 1;
  const talliesOfDay = latest - last(VALUE_DAYS);
  return {
    hour: (latest - last(KNOWN_DAYS.hour)) * HOURS_PER_DAY,
    day: latest - last(KNOWN_DAYS.day),
    talliesOfDay,
    talliesOfMonth: monthOfDay(latest) - last(MONTH_TALLIES_FOR_MONTHS),
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

/** What an element of an array takes, and about what a text takes besides its characters, which are mostly ASCII. */
const SLOT_BYTES = 8;
const TEXT_BYTES = 24;

/** Numbers of an entry: its period and its counts. */
const ENTRY = 5;

/**
 * Counts by the number of an hour, day or month, in order. In one array of numbers, because a link that is
 * visited every hour has thousands of them.
 */
export class Series {
  #numbers: number[] = [];

  get size(): number {
    return this.#numbers.length / ENTRY;
  }

  get bytes(): number {
    return SLOT_BYTES * this.#numbers.length;
  }

  get latest(): number | undefined {
    return this.#numbers.at(-ENTRY);
  }

  get latestWithPeople(): number | undefined {
    for (let at = this.#numbers.length - ENTRY; at >= 0; at -= ENTRY) {
      if ((this.#numbers[at + 1] as number) > 0) return this.#numbers[at];
    }
    return undefined;
  }

  /** Calls back with the people of each period from this one on: lists do this for all their rows. */
  eachSince(period: number, use: (period: number, people: number) => void): void {
    const numbers = this.#numbers;
    for (let at = this.#find(period); at < numbers.length; at += ENTRY) {
      use(numbers[at] as number, numbers[at + 1] as number);
    }
  }

  add(period: number, counts: Counts): void {
    const at = this.#find(period);
    if (this.#numbers[at] === period) {
      for (const [index, count] of counts.entries()) {
        this.#numbers[at + 1 + index] = (this.#numbers[at + 1 + index] ?? 0) + count;
      }
    } else {
      // Unlike an array that grows, the copy has no room to spare.
      this.#numbers = this.#numbers.toSpliced(at, 0, period, ...counts);
    }
  }

  /** Adds periods after the latest one, in order. */
  addLater(entries: readonly [period: number, ...Counts][]): void {
    this.#numbers = [...this.#numbers, ...entries.flat()];
  }

  /** Removes what is before a period. */
  takeBefore(period: number): [period: number, counts: Counts][] {
    const at = this.#find(period);
    const taken = toEntries(this.#numbers.slice(0, at));
    if (at > 0) this.#numbers = this.#numbers.slice(at);
    return taken;
  }

  [Symbol.iterator](): Iterator<[period: number, counts: Counts]> {
    return toEntries(this.#numbers).values();
  }

  /** Where the first entry begins that is not before a period. Nearly always one of the last. */
  #find(period: number): number {
    let at = this.#numbers.length;
    while (at > 0 && (this.#numbers[at - ENTRY] as number) >= period) at -= ENTRY;
    return at;
  }
}

function toEntries(numbers: readonly number[]): [period: number, counts: Counts][] {
  return Array.from({ length: numbers.length / ENTRY }, (_, index) => {
    const [period = 0, ...counts] = numbers.slice(index * ENTRY, (index + 1) * ENTRY);
    return [period, counts as Counts];
  });
}

/** Keys and numbers in turn. A `Map` of a few values would take twice the memory. */
type PackedTallies = (string | number)[];

/** Tallies by the number of a day or month, in order. */
export class TallySeries {
  #entries: [period: number, tallies: PackedTallies][] = [];
  /** About what the tallies take. Texts that several periods have count for each of them. */
  bytes = 0;

  get size(): number {
    return this.#entries.length;
  }

  get(period: number): Tallies {
    const [, packed = []] = this.#entries.find(([each]) => each === period) ?? [];
    return unpack(packed);
  }

  set(period: number, tallies: Tallies): void {
    const packed = pack(tallies);
    this.bytes += bytesOf(packed);
    const entry = this.#entries.find(([each]) => each === period);
    if (entry) {
      this.bytes -= bytesOf(entry[1]);
      entry[1] = packed;
      return;
    }
    const at = this.#entries.findLastIndex(([each]) => each < period) + 1;
    this.#entries = this.#entries.toSpliced(at, 0, [period, packed]);
  }

  add(period: number, tallies: Iterable<[key: string, people: number]>): void {
    const sum = this.get(period);
    addAll(sum, tallies);
    if (sum.size > 0) this.set(period, sum);
  }

  /** Removes what is before a period. */
  takeBefore(period: number): [period: number, tallies: Tallies][] {
    const taken = this.#entries.filter(([each]) => each < period);
    if (taken.length > 0) this.#entries = this.#entries.slice(taken.length);
    for (const [, packed] of taken) this.bytes -= bytesOf(packed);
    return taken.map(([each, packed]) => [each, unpack(packed)]);
  }

  [Symbol.iterator](): Iterator<[period: number, tallies: Tallies]> {
    return this.#entries
      .map(([period, packed]): [number, Tallies] => [period, unpack(packed)])
      .values();
  }
}

function pack(tallies: Tallies): PackedTallies {
  const packed: PackedTallies = new Array(2 * tallies.size);
  let at = 0;
  for (const [key, people] of tallies) {
    packed[at++] = key;
    packed[at++] = people;
  }
  return packed;
}

function bytesOf(packed: PackedTallies): number {
  let bytes = SLOT_BYTES * packed.length;
  for (let at = 0; at < packed.length; at += 2) {
    bytes += TEXT_BYTES + (packed[at] as string).length;
  }
  return bytes;
}

function unpack(packed: PackedTallies): Tallies {
  const tallies: Tallies = new Map();
  for (let at = 0; at < packed.length; at += 2) {
    tallies.set(packed[at] as string, packed[at + 1] as number);
  }
  return tallies;
}

const DIGIT_0 = 48;

export function addAll(to: Tallies, from: Iterable<[key: string, people: number]>): void {
  for (const [key, people] of from) addTo(to, key, people);
}

/** Keeps the most frequent values of each dimension and sums up the rest as `other`. */
export function keepTop(tallies: Tallies, max = TOP_VALUES): void {
  if (tallies.size <= max) return;
  for (const [dimension, values] of Map.groupBy(tallies, ([key]) => key.charAt(0))) {
    if (values.length <= max) continue;
    const other = dimension + OTHER;
    const known = values.filter(([key]) => key !== other);
    for (const [key, people] of known.sort(byPeople).slice(max)) {
      tallies.delete(key);
      addTo(tallies, other, people);
    }
  }
}

/** Sums up the values of fewer people than this as `other`. @returns whether there were some */
export function keepFrequent(tallies: Tallies, fewest: number): boolean {
  let hasChanged = false;
  for (const [key, people] of tallies) {
    const other = key.charAt(0) + OTHER;
    if (people >= fewest || key === other) continue;
    tallies.delete(key);
    addTo(tallies, other, people);
    hasChanged = true;
  }
  return hasChanged;
}

/**
 * Keeps ever fewer values until their texts do not take too much memory. Most can only be made up: a real
 * link has a few hundred hosts.
 *
 * @param charactersMax of all texts, each counted once
 */
export function limitKeys(all: readonly Tallies[], charactersMax: number): void {
  for (let max = 1024; max > 1 && keyCharacters(all) > charactersMax; max /= 2) {
    for (const tallies of all) keepTop(tallies, max);
  }
}

/** Lists the most frequent values first. */
export function toDimensions(tallies: Tallies): Record<Dimension, Tally> {
  const sorted = [...tallies].sort(byPeople);
  const entries = DIMENSIONS.map((name) => {
    const values = sorted.filter(([key]) => isOf(name, key));
    return [name, new Map(values.map(([key, people]) => [key.slice(1), people]))];
  });
  return Object.fromEntries(entries);
}

export function isOf(dimension: Dimension, key: string): boolean {
  return key.charCodeAt(0) === DIGIT_0 + DIMENSIONS.indexOf(dimension);
}

function byPeople([keyA, a]: [string, number], [keyB, b]: [string, number]): number {
  return b - a || (keyA < keyB ? -1 : 1);
}

/** In UTF-16 units: all values but made-up ones are ASCII. */
function keyCharacters(all: readonly Tallies[]): number {
  const keys = all.flatMap((tallies) => [...tallies.keys()]);
  let characters = 0;
  // Those of one day differ from each other.
  for (const key of all.length === 1 ? keys : new Set(keys)) characters += key.length;
  return characters;
}
