import { HOUR_MS } from '../../../lib/durations.ts';
import { type Counts, toCounts } from '../../statistics/retention.ts';
import { tallyKey } from '../../statistics/tallies.ts';
import { VISITOR_DIMENSIONS, type VisitsOfHour } from '../../visits.ts';

/** Visits in a line of the journal, to be added once. Each text is written once per line. */
export type VisitsJson = {
  /** Ids of accounts, and keys as in `Tallies`. */
  keys: string[];
  links: LinkVisitsJson[];
};

type LinkVisitsJson = [
  linkId: string,
  /** Index in `keys`. */
  account: number,
  /** Hours since the epoch. */
  hour: number,
  ...counts: Counts,
  /** Index in `keys`, number of people, and so on. */
  tallies: number[],
];

/** Visits to add to a link and its account. */
export type LinkVisits = {
  linkId: string;
  accountId: string;
  hour: number;
  counts: Counts;
  tallies: [key: string, people: number][];
};

/** @param accountOf the account of a link; undefined if there is no such link */
export function toVisitsJson(
  visits: readonly VisitsOfHour[],
  accountOf: (linkId: string) => string | undefined,
): VisitsJson {
  const keys = new Map<string, number>();
  const indexOf = (key: string) => {
    const index = keys.get(key) ?? keys.size;
    if (index === keys.size) keys.set(key, index);
    return index;
  };
  const links: LinkVisitsJson[] = [];
  for (const visit of visits) {
    const accountId = accountOf(visit.linkId);
    if (accountId === undefined) continue;
    const hour = Math.floor(visit.hour / HOUR_MS);
    const tallies: number[] = [];
    for (const [dimension, name] of VISITOR_DIMENSIONS.entries()) {
      for (const [value, people] of visit.dimensions[name] ?? []) {
        tallies.push(indexOf(tallyKey(dimension, value)), people);
      }
    }
    links.push([visit.linkId, indexOf(accountId), hour, ...toCounts(visit), tallies]);
  }
  return { keys: [...keys.keys()], links };
}

export function* fromVisitsJson({ keys, links }: VisitsJson): Generator<LinkVisits> {
  for (const [linkId, account, hour, people, uniquePeople, previews, bots, pairs] of links) {
    const tallies: LinkVisits['tallies'] = [];
    for (let at = 0; at < pairs.length; at += 2) {
      tallies.push([keys[pairs[at] ?? 0] ?? '', pairs[at + 1] ?? 0]);
    }
    const counts: Counts = [people, uniquePeople, previews, bots];
    yield { linkId, accountId: keys[account] ?? '', hour, counts, tallies };
  }
}
