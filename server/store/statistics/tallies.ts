import {
  addTo,
  DIMENSIONS,
  type Dimension,
  OTHER,
  type Tallies,
  type Tally,
  TOP_VALUES,
} from '../visits.ts';

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

/** The most frequent values first. */
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
  // Those of one day need no set.
  const keys = all.flatMap((tallies) => [...tallies.keys()]);
  let characters = 0;
  for (const key of all.length === 1 ? keys : new Set(keys)) characters += key.length;
  return characters;
}
