import { addTo, DIMENSIONS } from '../../visits.ts';
import { FIRST_TALLY, type LinkVisitsJson } from './visits-json.ts';

type Sum = { account: number; hour: number; counts: number[]; tallies: Map<number, number>[] };

/** More than there are hours until the year 2400. */
const MAX_HOURS = 2 ** 22;

/** Visits of a line per account and hour: one account often has thousands of links in a line. */
export class VisitSums {
  readonly #sums = new Map<number, Sum>();

  add(link: LinkVisitsJson): void {
    const [, account, hour] = link;
    const key = account * MAX_HOURS + hour;
    let sum = this.#sums.get(key);
    if (!sum) {
      const tallies = DIMENSIONS.map(() => new Map<number, number>());
      sum = { account, hour, counts: [0, 0, 0, 0], tallies };
      this.#sums.set(key, sum);
    }
    for (let index = 0; index < sum.counts.length; index++) {
      sum.counts[index] = (sum.counts[index] ?? 0) + (link[3 + index] as number);
    }
    for (let dimension = 0; dimension + FIRST_TALLY < link.length; dimension++) {
      const tally = sum.tallies[dimension] as Map<number, number>;
      const pairs = link[FIRST_TALLY + dimension] as number[];
      for (let at = 0; at < pairs.length; at += 2) {
        addTo(tally, pairs[at] as number, pairs[at + 1] as number);
      }
    }
  }

  /** In the same form, without the link's id. */
  *entries(): Generator<LinkVisitsJson> {
    for (const { account, hour, counts, tallies } of this.#sums.values()) {
      const pairs = tallies.map((tally) => [...tally].flat());
      yield ['', account, hour, ...counts, ...pairs] as LinkVisitsJson;
    }
  }
}
