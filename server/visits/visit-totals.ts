import { hourNumber } from '../lib/durations.ts';
import type { VisitsOfHour } from '../store/visits.ts';
import type { VisitClass } from './visit-class.ts';
import { addVisits } from './visit-tallies.ts';
import type { Person, VisitedLink } from './visited-link.ts';

/** Adds up visits per link and hour. */
export class VisitTotals {
  /** Those with visits. */
  #links: VisitedLink[] = [];
  /** By hour and id of the link: of earlier hours, and those that were put back. */
  #sums = new Map<number, Map<string, VisitsOfHour>>();

  get isEmpty(): boolean {
    return this.#links.length === 0 && this.#sums.size === 0;
  }

  /** @param isUnique whether the person has not visited the link before on that day */
  addPerson(link: VisitedLink, time: number, person: Person, isUnique: boolean): void {
    this.#open(link, time);
    link.addPerson(person, isUnique);
  }

  addOther(link: VisitedLink, time: number, visitClass: Exclude<VisitClass, 'people'>): void {
    this.#open(link, time);
    link[visitClass]++;
  }

  /** Removes and returns all, with one entry for each link and hour. */
  take(): VisitsOfHour[] {
    for (const link of this.#links) this.#addSum(link.take());
    this.#links = [];
    const all = [...this.#sums.values()].flatMap((links) => [...links.values()]);
    this.#sums = new Map();
    return all;
  }

  /** Adds visits again that could not be stored. */
  putBack(visits: VisitsOfHour[]): void {
    for (const sum of visits) this.#addSum(sum);
  }

  #addSum(sum: VisitsOfHour): void {
    let links = this.#sums.get(sum.hour);
    if (!links) {
      links = new Map();
      this.#sums.set(sum.hour, links);
    }
    const before = links.get(sum.linkId);
    if (before) addVisits(before, sum);
    else links.set(sum.linkId, sum);
  }

  /** Makes the link ready for a visit at this time. */
  #open(link: VisitedLink, time: number): void {
    const hour = hourNumber(time);
    if (link.hour === hour) return;
    if (link.hour === undefined) this.#links.push(link);
    else this.#addSum(link.take());
    link.hour = hour;
  }
}
