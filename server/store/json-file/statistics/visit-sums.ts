import type { Counts } from './retention.ts';
import { addTo, newTallies, type Tallies } from './tallies.ts';

/** Visits per account and hour: one account often has thousands of links in a line. */
export class VisitSums {
  readonly #sums = new Map<string, Map<number, { counts: Counts; tallies: Tallies }>>();

  add(account: string, hour: number, counts: Counts, tallies: [string, number][][]): void {
    const hours = this.#sums.get(account) ?? new Map();
    this.#sums.set(account, hours);
    const sum = hours.get(hour) ?? { counts: [0, 0, 0, 0], tallies: newTallies() };
    hours.set(hour, sum);
    for (const [index, count] of counts.entries()) sum.counts[index] += count;
    for (const [dimension, tally] of tallies.entries()) {
      for (const [key, people] of tally) addTo(sum.tallies[dimension], key, people);
    }
  }

  *entries() {
    for (const [account, hours] of this.#sums) {
      for (const [hour, { counts, tallies }] of hours) yield { account, hour, counts, tallies };
    }
  }
}
