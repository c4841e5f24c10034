import { addTo, DIMENSIONS, type Dimension, OTHER, type Tally, TOP_VALUES } from '../visits.ts';

/** Of all values of one link. More can only be made up: a real link has a few hundred hosts. */
const KEY_BYTES_MAX = 32 * 1024;

/** For each dimension, the number of people by value. */
export type Tallies = Tally[];

export const newTallies = (): Tallies => DIMENSIONS.map(() => new Map());

export function addAll(to: Tallies, from: Tallies): void {
  for (const [dimension, tally] of from.entries()) {
    const sum = to[dimension];
    if (sum) for (const [key, people] of tally) addTo(sum, key, people);
  }
}

/** Keeps the most frequent values and sums up the rest as `other`. */
export function keepTop(tallies: Tallies, max = TOP_VALUES): void {
  for (const tally of tallies) {
    if (tally.size <= max) continue;
    const others = [...tally].filter(([key]) => key !== OTHER).sort(byPeople);
    for (const [key, people] of others.slice(max)) {
      tally.delete(key);
      addTo(tally, OTHER, people);
    }
  }
}

/** Keeps ever fewer values until they do not take too much memory. */
export function limitKeyBytes(all: Tallies[]): void {
  for (let max = 1024; max > 1 && keyBytes(all) > KEY_BYTES_MAX; max /= 2) {
    for (const tallies of all) keepTop(tallies, max);
  }
}

export function toTallyRecord(tallies: Tallies): Record<Dimension, Tally> {
  const entries = DIMENSIONS.map((name, index) => {
    return [name, new Map([...(tallies[index] ?? [])].sort(byPeople))];
  });
  return Object.fromEntries(entries);
}

function byPeople([keyA, a]: [string, number], [keyB, b]: [string, number]): number {
  return b - a || (keyA < keyB ? -1 : 1);
}

/** In UTF-16 units: all values but made-up ones are ASCII. */
function keyBytes(all: Tallies[]): number {
  const keys = new Set<string>();
  let bytes = 0;
  for (const tallies of all) {
    for (const tally of tallies) {
      for (const key of tally.keys()) {
        if (keys.has(key)) continue;
        keys.add(key);
        bytes += key.length;
      }
    }
  }
  return bytes;
}
