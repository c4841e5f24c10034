import type { LinkVisits } from '../../statistics/link-visits.ts';
import type { Counts } from '../../statistics/retention.ts';
import { addTo } from '../../visits.ts';

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

export function toVisitsJson(visits: Iterable<LinkVisits>): VisitsJson {
  const keys = new Map<string, number>();
  const indexOf = (key: string) => {
    const index = keys.get(key) ?? keys.size;
    if (index === keys.size) keys.set(key, index);
    return index;
  };
  const links: LinkVisitsJson[] = [];
  for (const { linkId, accountId, hour, counts, tallies } of visits) {
    const pairs: number[] = [];
    for (const [key, people] of tallies) pairs.push(indexOf(key), people);
    links.push([linkId, indexOf(accountId), hour, ...counts, pairs]);
  }
  return { keys: [...keys.keys()], links };
}

export function* fromVisitsJson({ keys, links }: VisitsJson): Generator<LinkVisits> {
  for (const [linkId, account, hour, people, uniquePeople, previews, bots, pairs] of links) {
    const tallies: LinkVisits['tallies'] = new Map();
    for (let at = 0; at < pairs.length; at += 2) {
      addTo(tallies, keys[pairs[at] ?? 0] ?? '', pairs[at + 1] ?? 0);
    }
    const counts: Counts = [people, uniquePeople, previews, bots];
    yield { linkId, accountId: keys[account] ?? '', hour, counts, tallies };
  }
}
