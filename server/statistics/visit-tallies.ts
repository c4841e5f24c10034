import { type Dimension, OTHER, type Tally, type VisitsOfHour } from '../store/visits.ts';

/** Of one dimension of a link; more are made up, and a store that fails must not fill the memory. */
const MAX_KEYS = 1000;

/** Keys must not be `__proto__`. */
export type Tallies = Record<Dimension, Tally>;

export function newTallies(): Tallies {
  return { referrers: {}, browsers: {}, systems: {}, devices: {}, countries: {} };
}

/** @param isFull whether new keys count as `other` */
export function addPeople(tally: Tally, key: string, people: number, isFull = false): void {
  const before = tally[key];
  if (before === undefined && isFull) tally[OTHER] = (tally[OTHER] ?? 0) + people;
  else tally[key] = (before ?? 0) + people;
}

export function isFull(tally: Tally): boolean {
  let keys = 0;
  for (const _key in tally) if (++keys >= MAX_KEYS) return true;
  return false;
}

/** Adds visits to others of the same link and hour. */
export function addVisits(to: VisitsOfHour, from: VisitsOfHour): void {
  to.people += from.people;
  to.uniquePeople += from.uniquePeople;
  to.previews += from.previews;
  to.bots += from.bots;
  for (const [name, tally] of Object.entries(from.dimensions)) {
    const sums = to.dimensions[name as Dimension] ?? {};
    to.dimensions[name as Dimension] = sums;
    const isSumFull = isFull(sums);
    for (const [key, people] of Object.entries(tally)) addPeople(sums, key, people, isSumFull);
  }
}
