import { hourNumber } from '../../lib/durations.ts';
import { LINK_DIMENSIONS, type VisitsOf, type VisitsOfHour } from '../visits.ts';
import { addCounts, type Counts, toCounts } from './retention.ts';
import { isOf, linkTallies, tallyKey } from './tallies.ts';

/** Visits in an hour (its number since the epoch). */
export type Visits = {
  hour: number;
  counts: Counts;
  /** Keys as in `Tallies`. One can be there several times. */
  tallies: [key: string, people: number][];
};

/** Visits to add to a link and its account. */
export type LinkVisits = Visits & { linkId: string; accountId: string };

/** @param accountOf the account of a link; undefined if there is no such link, whose visits are left out */
export function toLinkVisits(
  visits: readonly VisitsOfHour[],
  accountOf: (linkId: string) => string | undefined,
): LinkVisits[] {
  return visits.flatMap((visit) => {
    const { linkId, dimensions } = visit;
    const accountId = accountOf(linkId);
    if (accountId === undefined) return [];
    const tallies: Visits['tallies'] = [];
    for (const [dimension, name] of LINK_DIMENSIONS.entries()) {
      for (const [value, people] of dimensions[name] ?? []) {
        tallies.push([tallyKey(dimension, value), people]);
      }
    }
    return { linkId, accountId, hour: hourNumber(visit.hour), counts: toCounts(visit), tallies };
  });
}

/** The key of the statistics of a link or an account. */
export function subjectOf(of: VisitsOf): string {
  return 'linkId' in of ? `link ${of.linkId}` : `account ${of.accountId}`;
}

/** Those of accounts are summed up by hour, because one often has thousands of links in a call. */
export function sumUp(visits: readonly LinkVisits[]): (Visits & { subject: string })[] {
  const accounts = new Map<string, Visits & { subject: string }>();
  const links = visits.map(({ linkId, accountId, hour, counts, tallies }) => {
    const key = `${accountId} ${hour}`;
    let sum = accounts.get(key);
    if (!sum) {
      sum = { subject: subjectOf({ accountId }), hour, counts: [0, 0, 0, 0], tallies: [] };
      accounts.set(key, sum);
    }
    addCounts(sum.counts, counts);
    const ofVisitors = tallies.filter(([key]) => !isOf('targets', key));
    sum.tallies.push(...ofVisitors, ...linkTallies(linkId, counts[0]));
    return { subject: subjectOf({ linkId }), hour, counts, tallies };
  });
  return [...links, ...accounts.values()];
}
