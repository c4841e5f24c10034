import { newKeyedHash } from '../core/keyed-hash.ts';
import type { VisitsOfHour } from '../store/visits.ts';
import type { UserAgent } from '../visit/user-agent.ts';
import { addPeople, isFull, newTallies, type Tallies } from './visit-tallies.ts';

/** Groups of people that are added to the tallies at once. */
const GROUPS_AT_ONCE = 16;

const hash = newKeyedHash();

/** What is known of a person. */
export type Person = { referrer: string; userAgent: UserAgent; country: string };

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
  /** Start of the hour (UTC), milliseconds since the epoch. Undefined: there are no visits. */
  hour: number | undefined;
  people = 0;
  uniquePeople = 0;
  previews = 0;
  bots = 0;
  /** People who are not in the tallies yet. */
  #groups: Group[] = [];
  #tallies: Tallies | undefined;

  constructor(id: string) {
    this.id = id;
    this.hash = hash(id);
  }

  /** Many visitors come from the same page with the same browser, and comparing is faster than adding. */
  addPerson({ referrer, userAgent, country }: Person, isUnique: boolean): void {
    this.people++;
    if (isUnique) this.uniquePeople++;
    for (const group of this.#groups) {
      const isSame =
        group.userAgent === userAgent && group.referrer === referrer && group.country === country;
      if (!isSame) continue;
      group.people++;
      return;
    }
    if (this.#groups.length === GROUPS_AT_ONCE) this.#tallyGroups();
    this.#groups.push({ referrer, userAgent, country, people: 1 });
  }

  /** Removes and returns the visits. There must be some. */
  take(): VisitsOfHour {
    this.#tallyGroups();
    const { id: linkId, hour = 0, people, uniquePeople, previews, bots } = this;
    const dimensions = this.#tallies ?? {};
    this.hour = undefined;
    this.people = 0;
    this.uniquePeople = 0;
    this.previews = 0;
    this.bots = 0;
    this.#tallies = undefined;
    return { linkId, hour, people, uniquePeople, previews, bots, dimensions };
  }

  #tallyGroups(): void {
    if (this.#groups.length === 0) return;
    this.#tallies ??= newTallies();
    const areReferrersFull = isFull(this.#tallies.referrers);
    for (const { referrer, userAgent, country, people } of this.#groups) {
      const { browser, system, device } = userAgent.families;
      addPeople(this.#tallies.referrers, referrer, people, areReferrersFull);
      addPeople(this.#tallies.countries, country, people);
      addPeople(this.#tallies.browsers, browser, people);
      addPeople(this.#tallies.systems, system, people);
      addPeople(this.#tallies.devices, device, people);
    }
    this.#groups = [];
  }
}
