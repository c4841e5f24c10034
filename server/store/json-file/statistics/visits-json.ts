import { HOUR_MS } from '../../../core/durations.ts';
import type { Counts } from '../../statistics/retention.ts';
import { DIMENSIONS, type Tally, type VisitsOfHour } from '../../visits.ts';

/** Visits in a line of the journal. Each text is written once per line. */
export type VisitsJson = {
  /** Ids of accounts, and values of dimensions. */
  keys: string[];
  links: LinkVisitsJson[];
};

export type LinkVisitsJson = [
  linkId: string,
  /** Index in `keys`. */
  account: number,
  /** Hours since the epoch. */
  hour: number,
  ...counts: Counts,
  /** For each dimension: index in `keys`, number of people, and so on. Left out if nothing is known. */
  ...tallies: number[][],
];

/** Where the tallies begin. */
export const FIRST_TALLY = 7;

/** @param accountOf the account of a link; undefined if there is no such link */
export function toVisitsJson(
  visits: VisitsOfHour[],
  accountOf: (linkId: string) => string | undefined,
): VisitsJson {
  const keys = new Map<string, number>();
  const indexOf = (key: string) => {
    const index = keys.get(key) ?? keys.size;
    if (index === keys.size) keys.set(key, index);
    return index;
  };
  const links: LinkVisitsJson[] = [];
  for (const entry of visits) {
    const account = accountOf(entry.linkId);
    if (account === undefined) continue;
    const hour = Math.floor(entry.hour / HOUR_MS);
    const { linkId, people, uniquePeople, previews, bots, dimensions } = entry;
    const accountIndex = indexOf(account);
    const json: LinkVisitsJson = [linkId, accountIndex, hour, people, uniquePeople, previews, bots];
    const isKnown = DIMENSIONS.some((name) => dimensions[name] !== undefined);
    if (isKnown) for (const name of DIMENSIONS) json.push(toPairs(dimensions[name], indexOf));
    links.push(json);
  }
  return { keys: [...keys.keys()], links };
}

/** Most tallies have one key, and an array that grows from empty takes room for many. */
function toPairs(tally: Tally | undefined, indexOf: (key: string) => number): number[] {
  let pairs: number[] | undefined;
  for (const [key, people] of tally ?? []) {
    if (pairs) pairs.push(indexOf(key), people);
    else pairs = [indexOf(key), people];
  }
  return pairs ?? [];
}
