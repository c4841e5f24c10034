import type { Tallies } from '../visits.ts';
import type { Counts } from './retention.ts';
import { addAll } from './tallies.ts';

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

  get latest(): number | undefined {
    return this.#numbers.at(-ENTRY);
  }

  get latestWithPeople(): number | undefined {
    for (let at = this.#numbers.length - ENTRY; at >= 0; at -= ENTRY) {
      if ((this.#numbers[at + 1] as number) > 0) return this.#numbers[at];
    }
    return undefined;
  }

  /** With a callback, because lists do this for all their rows, and a generator takes twice as long. */
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

  get size(): number {
    return this.#entries.length;
  }

  get(period: number): Tallies {
    const [, packed = []] = this.#entries.find(([each]) => each === period) ?? [];
    return unpack(packed);
  }

  set(period: number, tallies: Tallies): void {
    const entry = this.#entries.find(([each]) => each === period);
    if (entry) {
      entry[1] = pack(tallies);
      return;
    }
    const at = this.#entries.findLastIndex(([each]) => each < period) + 1;
    this.#entries = this.#entries.toSpliced(at, 0, [period, pack(tallies)]);
  }

  add(period: number, tallies: Iterable<[key: string, people: number]>): void {
    const sum = this.get(period);
    addAll(sum, tallies);
    if (sum.size > 0) this.set(period, sum);
  }

  /** Removes what is before a period. */
  takeBefore(period: number): [period: number, tallies: Tallies][] {
    const taken = [...this].filter(([each]) => each < period);
    if (taken.length > 0) this.#entries = this.#entries.slice(taken.length);
    return taken;
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

function unpack(packed: PackedTallies): Tallies {
  const tallies: Tallies = new Map();
  for (let at = 0; at < packed.length; at += 2) {
    tallies.set(packed[at] as string, packed[at + 1] as number);
  }
  return tallies;
}
