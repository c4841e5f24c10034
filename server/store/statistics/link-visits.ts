import { hourNumber } from '../../lib/durations.ts';
import { VISITOR_DIMENSIONS, type VisitsOf, type VisitsOfHour } from '../visits.ts';
import { type Counts, toCounts } from './retention.ts';
import { linkTallies, tallyKey } from './tallies.ts';

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
export function* toLinkVisits(
  visits: Iterable<VisitsOfHour>,
  accountOf: (linkId: string) => string | undefined,
): Generator<LinkVisits> {
  for (const visit of visits) {
    const { linkId, dimensions } = visit;
    const accountId = accountOf(linkId);
    if (accountId === undefined) continue;
    const tallies = VISITOR_DIMENSIONS.flatMap((name, dimension) =>
      [...(dimensions[name] ?? [])].map(([value, people]): [string, number] => [
        tallyKey(dimension, value),
        people,
      ]),
    );
    yield {
      linkId,
      accountId,
      hour: hourNumber(visit.hour),
      counts: toCounts(visit),
      tallies,
    };
  }
}

/** The key of the statistics of a link or an account. */
export function subjectOf(of: VisitsOf): string {
  return 'linkId' in of ? `link ${of.linkId}` : `account ${of.accountId}`;
}

/** By subject and hour: one account often has thousands of links in a call. */
export function sumUp(visits: Iterable<LinkVisits>): (Visits & { subject: string })[] {
  const sums = new Map<string, Visits & { subject: string }>();
  const add = (subject: string, { hour, counts }: Visits, tallies: Visits['tallies']) => {
    const key = `${subject} ${hour}`;
    const sum = sums.get(key) ?? { subject, hour, counts: [0, 0, 0, 0], tallies: [] };
    sums.set(key, sum);
    sum.counts = sum.counts.map((count, index) => count + (counts[index] ?? 0)) as Counts;
    sum.tallies.push(...tallies);
  };
  for (const each of visits) {
    const { linkId, accountId, counts, tallies } = each;
    add(subjectOf({ linkId }), each, tallies);
    add(subjectOf({ accountId }), each, [...tallies, ...linkTallies(linkId, counts[0])]);
  }
  return [...sums.values()];
}
