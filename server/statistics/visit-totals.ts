import { HOUR_MS } from '../core/durations.ts';
import { OTHER, type Tally, type VisitsOfHour } from '../store/visits.ts';
import type { VisitClass } from '../visit/visit-class.ts';
import type { UserAgent } from './user-agents.ts';

/** People of a link that are added up at once. Until then, each takes three pointers. */
const PEOPLE_AT_ONCE = 64;
/** Of one dimension of a link; more are made up, and a store that fails must not fill the memory. */
const MAX_KEYS = 1000;

type Tallies = {
  referrers: Tally;
  browsers: Tally;
  systems: Tally;
  devices: Tally;
  countries: Tally;
};

type Totals = {
  linkId: string;
  hour: number;
  people: number;
  uniquePeople: number;
  previews: number;
  bots: number;
  /** Undefined without people. */
  tallies: Tallies | undefined;
  /** People who are not in the tallies yet: referrer, country and user agent of each, in one array. */
  waiting: (string | UserAgent)[];
};

/** Adds up visits per link and hour. Keys must not be `__proto__`. */
export class VisitTotals {
  #hours = new Map<number, Map<string, Totals>>();

  get isEmpty(): boolean {
    return this.#hours.size === 0;
  }

  /** @param isUnique whether the person has not visited the link before on that day */
  addPerson(
    linkId: string,
    time: number,
    { referrer, userAgent, country, isUnique }: PersonVisit,
  ): void {
    const totals = this.#totals(linkId, time);
    totals.people++;
    if (isUnique) totals.uniquePeople++;
    totals.waiting.push(referrer, country, userAgent);
    if (totals.waiting.length >= 3 * PEOPLE_AT_ONCE) tallyPeople(totals);
  }

  addOther(linkId: string, time: number, visitClass: Exclude<VisitClass, 'people'>): void {
    this.#totals(linkId, time)[visitClass]++;
  }

  /** Removes and returns all. */
  take(): VisitsOfHour[] {
    const all: VisitsOfHour[] = [];
    for (const links of this.#hours.values()) {
      for (const totals of links.values()) {
        tallyPeople(totals);
        const { linkId, hour, people, uniquePeople, previews, bots, tallies = {} } = totals;
        all.push({ linkId, hour, people, uniquePeople, previews, bots, dimensions: tallies });
      }
    }
    this.#hours = new Map();
    return all;
  }

  /** Adds visits again that could not be stored. */
  putBack(visits: VisitsOfHour[]): void {
    for (const { linkId, hour, dimensions, ...counts } of visits) {
      const totals = this.#totals(linkId, hour);
      totals.people += counts.people;
      totals.uniquePeople += counts.uniquePeople;
      totals.previews += counts.previews;
      totals.bots += counts.bots;
      if (counts.people === 0) continue;
      totals.tallies ??= newTallies();
      for (const name of Object.keys(totals.tallies) as (keyof Tallies)[]) {
        const tally = totals.tallies[name];
        const isFull = hasMaxKeys(tally);
        for (const [key, people] of Object.entries(dimensions[name] ?? {})) {
          add(tally, key, people, isFull);
        }
      }
    }
  }

  #totals(linkId: string, time: number): Totals {
    const hour = time - (time % HOUR_MS);
    let links = this.#hours.get(hour);
    if (!links) {
      links = new Map();
      this.#hours.set(hour, links);
    }
    let totals = links.get(linkId);
    if (!totals) {
      totals = newTotals(linkId, hour);
      links.set(linkId, totals);
    }
    return totals;
  }
}

export type PersonVisit = {
  referrer: string;
  userAgent: UserAgent;
  country: string;
  isUnique: boolean;
};

function newTotals(linkId: string, hour: number): Totals {
  return {
    linkId,
    hour,
    people: 0,
    uniquePeople: 0,
    previews: 0,
    bots: 0,
    tallies: undefined,
    waiting: [],
  };
}

function newTallies(): Tallies {
  return { referrers: {}, browsers: {}, systems: {}, devices: {}, countries: {} };
}

function tallyPeople(totals: Totals): void {
  const { waiting } = totals;
  if (waiting.length === 0) return;
  totals.tallies ??= newTallies();
  const { referrers, browsers, systems, devices, countries } = totals.tallies;
  const isFull = hasMaxKeys(referrers);
  for (let at = 0; at < waiting.length; at += 3) {
    const { browser, system, device } = waiting[at + 2] as UserAgent;
    add(referrers, waiting[at] as string, 1, isFull);
    add(countries, waiting[at + 1] as string, 1);
    add(browsers, browser, 1);
    add(systems, system, 1);
    add(devices, device, 1);
  }
  waiting.length = 0;
}

/** @param isFull whether new keys count as `other` */
function add(tally: Tally, key: string, people: number, isFull = false): void {
  const before = tally[key];
  if (before === undefined && isFull) tally[OTHER] = (tally[OTHER] ?? 0) + people;
  else tally[key] = (before ?? 0) + people;
}

function hasMaxKeys(tally: Tally): boolean {
  let keys = 0;
  for (const _key in tally) if (++keys >= MAX_KEYS) return true;
  return false;
}
