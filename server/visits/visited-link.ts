import { HOUR_MS } from '../lib/durations.ts';
import { newKeyedHash } from '../lib/keyed-hash.ts';
import type { VisitsOfHour } from '../store/visits.ts';
import type { UserAgent } from './user-agent.ts';
import { addPeople, isFull, newTallies, type Tallies } from './visit-tallies.ts';

/** Groups of people that are added to the tallies at once. */
const GROUPS_AT_ONCE = 16;

const hash = newKeyedHash();

/** What is known of a person. */
export type Person = {
  referrer: string;
  userAgent: UserAgent;
  country: string;
  /** See `nameTarget`. */
  target: string;
};

/** People of whom the same is known. */
type Group = Person & { people: number };

/**
 * A link whose visits are recorded, with those of an hour that are not stored yet. Whoever keeps it for
 * the next visit spares a look-up; there may be several of the same link.
 */
export class VisitedLink {
  readonly id: string;
  /** Stands for the id in this process. 32 bits. */
  readonly hash: number;
  /** Hours since the epoch. Undefined: there are no visits. */
  hour: number | undefined;
  people = 0;
  uniquePeople = 0;
  previews = 0;
  bots = 0;
  // The latest people in a row of whom the same is known. They are no `Group`, since visits of many links
  // mostly wait for memory, and every further object makes them wait longer.
  #inRow = 0;
  #referrer = '';
  #userAgent: UserAgent | undefined;
  #country = '';
  #target = '';
  /** Earlier people who are not in the tallies yet. */
  #groups: Group[] = [];
  #tallies: Tallies | undefined;

  constructor(id: string) {
    this.id = id;
    this.hash = hash(id);
  }

  /** Many visitors come from the same page with the same browser, and comparing is faster than adding. */
  addPerson({ referrer, userAgent, country, target }: Person, isUnique: boolean): void {
    this.people++;
    if (isUnique) this.uniquePeople++;
    const isSame =
      userAgent === this.#userAgent &&
      referrer === this.#referrer &&
      country === this.#country &&
      target === this.#target;
    if (!isSame) {
      this.#groupLatest();
      this.#referrer = referrer;
      this.#userAgent = userAgent;
      this.#country = country;
      this.#target = target;
    }
    this.#inRow++;
  }

  /** Removes and returns the visits. There must be some. */
  take(): VisitsOfHour {
    this.#groupLatest();
    this.#tallyGroups();
    const { id: linkId, hour = 0, people, uniquePeople, previews, bots } = this;
    const dimensions = this.#tallies ?? {};
    this.hour = undefined;
    this.people = 0;
    this.uniquePeople = 0;
    this.previews = 0;
    this.bots = 0;
    this.#tallies = undefined;
    return { linkId, hour: hour * HOUR_MS, people, uniquePeople, previews, bots, dimensions };
  }

  #groupLatest(): void {
    const people = this.#inRow;
    const referrer = this.#referrer;
    const userAgent = this.#userAgent;
    const country = this.#country;
    const target = this.#target;
    if (people === 0 || userAgent === undefined) return;
    this.#inRow = 0;
    for (const group of this.#groups) {
      const isSame =
        group.userAgent === userAgent &&
        group.referrer === referrer &&
        group.country === country &&
        group.target === target;
      if (!isSame) continue;
      group.people += people;
      return;
    }
    if (this.#groups.length === GROUPS_AT_ONCE) this.#tallyGroups();
    this.#groups.push({ referrer, userAgent, country, target, people });
  }

  #tallyGroups(): void {
    if (this.#groups.length === 0) return;
    this.#tallies ??= newTallies();
    const areReferrersFull = isFull(this.#tallies.referrers);
    for (const { referrer, userAgent, country, target, people } of this.#groups) {
      const { browser, system, device } = userAgent.families;
      addPeople(this.#tallies.referrers, referrer, people, areReferrersFull);
      addPeople(this.#tallies.countries, country, people);
      addPeople(this.#tallies.browsers, browser, people);
      addPeople(this.#tallies.systems, system, people);
      addPeople(this.#tallies.devices, device, people);
      if (target !== '') {
        this.#tallies.targets ??= new Map();
        addPeople(this.#tallies.targets, target, people);
      }
    }
    this.#groups = [];
  }
}
