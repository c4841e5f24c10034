import { HOUR_MS, hourNumber } from '../lib/durations.ts';
import { newKeyedHash } from '../lib/keyed-hash.ts';
import { addTo, OTHER, type Tallies, type VisitsOfHour } from '../store/visits.ts';

/** Of one link; more are made up, and a store that fails must not fill the memory. */
const KEYS_MAX = 1000;

const hash = newKeyedHash();

/** What is known of a person, as keys of `Tallies`. */
export type Person = {
  referrer: string;
  /** Browser, system and device. */
  families: readonly string[];
  country: string;
  /** Of a link with rules. */
  target: string | undefined;
};

/** Visits of a link in an hour that are not stored yet. */
export class LinkTotal implements VisitsOfHour {
  readonly linkId: string;
  readonly hour: number;
  /** Stands for the link in this process. 32 random bits. */
  readonly hash: number;
  people = 0;
  uniquePeople = 0;
  previews = 0;
  bots = 0;
  readonly #tallies: Tallies = new Map();
  // The latest people in a row of whom the same is known: comparing is faster than adding.
  #inRow = 0;
  #latest: Person | undefined;

  constructor(linkId: string, hour: number) {
    this.linkId = linkId;
    this.hour = hour;
    this.hash = hash(linkId);
  }

  get tallies(): Tallies {
    this.#tallyRow();
    return this.#tallies;
  }

  addPerson(person: Person, isUnique: boolean): void {
    this.people++;
    if (isUnique) this.uniquePeople++;
    if (!isSame(person, this.#latest)) {
      this.#tallyRow();
      this.#latest = person;
    }
    this.#inRow++;
  }

  add({ people, uniquePeople, previews, bots, tallies }: VisitsOfHour): void {
    this.people += people;
    this.uniquePeople += uniquePeople;
    this.previews += previews;
    this.bots += bots;
    for (const [key, people] of tallies) this.#tally(key, people);
  }

  #tallyRow(): void {
    if (!this.#latest || this.#inRow === 0) return;
    const { referrer, families, country, target } = this.#latest;
    for (const key of [referrer, ...families, country]) this.#tally(key, this.#inRow);
    if (target !== undefined) this.#tally(target, this.#inRow);
    this.#inRow = 0;
  }

  #tally(key: string, people: number): void {
    const isFull = this.#tallies.size >= KEYS_MAX && !this.#tallies.has(key);
    addTo(this.#tallies, isFull ? key.charAt(0) + OTHER : key, people);
  }
}

function isSame(person: Person, other: Person | undefined): boolean {
  return (
    other !== undefined &&
    person.referrer === other.referrer &&
    person.families === other.families &&
    person.country === other.country &&
    person.target === other.target
  );
}

/** Adds up visits per link and hour. */
export class VisitTotals {
  /** By the number of the hour and the id of the link. */
  #hours = new Map<number, Map<string, LinkTotal>>();

  get isEmpty(): boolean {
    return this.#hours.size === 0;
  }

  /** Those of a link in the hour of a time, in milliseconds since the epoch. */
  of(linkId: string, time: number): LinkTotal {
    const hour = hourNumber(time);
    let links = this.#hours.get(hour);
    if (!links) {
      links = new Map();
      this.#hours.set(hour, links);
    }
    let total = links.get(linkId);
    if (!total) {
      total = new LinkTotal(linkId, hour * HOUR_MS);
      links.set(linkId, total);
    }
    return total;
  }

  /** Removes and returns all. */
  take(): VisitsOfHour[] {
    const all = [...this.#hours.values()].flatMap((links) => [...links.values()]);
    this.#hours = new Map();
    return all;
  }

  /** Adds visits again that could not be stored. */
  putBack(visits: VisitsOfHour[]): void {
    for (const each of visits) this.of(each.linkId, each.hour).add(each);
  }
}
