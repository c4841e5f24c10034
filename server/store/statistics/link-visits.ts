import { hourNumber } from '../../lib/time.ts';
import { addTo, type Tallies, tallyKey, type VisitsOf, type VisitsOfHour } from '../visits.ts';
import { addCounts, type Counts, isOf, toCounts } from './series.ts';

/** Visits in an hour (its number since the epoch). */
export type Visits = {
  hour: number;
  counts: Counts;
  tallies: Tallies;
};

/** Visits to add to a link and its account. */
export type LinkVisits = Visits & { linkId: string; accountId: string };

/** @param accountOf the account of a link; undefined if there is no such link, whose visits are left out */
export function toLinkVisits(
  visits: readonly VisitsOfHour[],
  accountOf: (linkId: string) => string | undefined,
): LinkVisits[] {
  return visits.flatMap((visit) => {
    const { linkId, tallies } = visit;
    const accountId = accountOf(linkId);
    if (accountId === undefined) return [];
    return { linkId, accountId, hour: hourNumber(visit.hour), counts: toCounts(visit), tallies };
  });
}

/** Returns the key of the statistics of a link or an account. */
export function subjectOf(of: VisitsOf): string {
  return 'linkId' in of ? `link ${of.linkId}` : `account ${of.accountId}`;
}

/** Sums up visits; those of accounts by hour, because one often has thousands of links in a call. */
export function sumUp(visits: readonly LinkVisits[]): (Visits & { subject: string })[] {
  const accounts = new Map<string, Visits & { subject: string }>();
  const links = visits.map(({ linkId, accountId, hour, counts, tallies }) => {
    const key = `${accountId} ${hour}`;
    let sum = accounts.get(key);
    if (!sum) {
      sum = { subject: subjectOf({ accountId }), hour, counts: [0, 0, 0, 0], tallies: new Map() };
      accounts.set(key, sum);
    }
    addCounts(sum.counts, counts);
    for (const [key, people] of tallies) {
      if (!isOf('targets', key)) addTo(sum.tallies, key, people);
    }
    if (counts[0] > 0) addTo(sum.tallies, tallyKey('links', linkId), counts[0]);
    return { subject: subjectOf({ linkId }), hour, counts, tallies };
  });
  return [...links, ...accounts.values()];
}
