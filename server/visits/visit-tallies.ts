import {
  addTo,
  type LinkDimension,
  OTHER,
  type Tally,
  type VisitorDimension,
  type VisitsOfHour,
} from '../store/visits.ts';

/** Of one dimension of a link; more are made up, and a store that fails must not fill the memory. */
const MAX_KEYS = 1000;

export type Tallies = Record<VisitorDimension, Tally> & { targets?: Tally };

export function newTallies(): Tallies {
  return {
    referrers: new Map(),
    browsers: new Map(),
    systems: new Map(),
    devices: new Map(),
    countries: new Map(),
  };
}

/** @param isFull whether new keys count as `other` */
export function addPeople(tally: Tally, key: string, people: number, isFull = false): void {
  addTo(tally, isFull && !tally.has(key) ? OTHER : key, people);
}

export function isFull(tally: Tally): boolean {
  return tally.size >= MAX_KEYS;
}

/** Adds visits to others of the same link and hour. */
export function addVisits(to: VisitsOfHour, from: VisitsOfHour): void {
  to.people += from.people;
  to.uniquePeople += from.uniquePeople;
  to.previews += from.previews;
  to.bots += from.bots;
  for (const [name, tally] of Object.entries(from.dimensions)) {
    const sums = to.dimensions[name as LinkDimension] ?? new Map();
    to.dimensions[name as LinkDimension] = sums;
    const isSumFull = isFull(sums);
    for (const [key, people] of tally) addPeople(sums, key, people, isSumFull);
  }
}
