import type { Database } from '../database/database.ts';
import type { Statement } from '../database/statement.ts';
import type { HitCounter } from './hit-counter.ts';
import type { LinkPlaces } from './link-places.ts';

export const TAKE_VISITS: Statement = {
  name: 'take_visits',
  text: 'SELECT * FROM take_visits($1, $2, $3)',
};

type Visitor = PromiseWithResolvers<boolean>;

/**
 * Counts visits of links with `maxVisits`, each in the database before the visitor passes. Visitors of one
 * link who come while others are being counted are counted together.
 */
export class VisitTaker {
  readonly #database: Database;
  readonly #hits: HitCounter;
  readonly #places: LinkPlaces;
  /** By link id: who waits for those that are being counted. */
  readonly #waiting = new Map<string, Visitor[]>();

  constructor(database: Database, hits: HitCounter, places: LinkPlaces) {
    this.#database = database;
    this.#hits = hits;
    this.#places = places;
  }

  /** See `Store.takeVisit`. */
  take(linkId: string): Promise<boolean> {
    const visitor: Visitor = Promise.withResolvers();
    const waiting = this.#waiting.get(linkId);
    if (waiting) waiting.push(visitor);
    else this.#countAll(linkId, [visitor]);
    return visitor.promise;
  }

  async #countAll(linkId: string, first: Visitor[]): Promise<void> {
    for (let visitors = first; visitors.length > 0; ) {
      const waiting: Visitor[] = [];
      this.#waiting.set(linkId, waiting);
      try {
        const granted = await this.#count(linkId, visitors.length);
        for (const [place, visitor] of visitors.entries()) visitor.resolve(place < granted);
      } catch (error) {
        for (const visitor of visitors) visitor.reject(error);
      }
      visitors = waiting;
    }
    this.#waiting.delete(linkId);
  }

  /** @returns how many may pass */
  async #count(linkId: string, visits: number): Promise<number> {
    // Hits from before the link had a limit.
    await this.#hits.settle(linkId);
    const known = this.#places.keyOf(linkId);
    const counted = known === undefined ? undefined : await this.#countAt(known, linkId, visits);
    if (counted !== undefined) return counted;
    // It is not known here, or was renamed since.
    const key = (await this.#places.look([linkId])).get(linkId);
    return key === undefined ? 0 : ((await this.#countAt(key, linkId, visits)) ?? 0);
  }

  /** @returns undefined if the alias does not have the link */
  async #countAt(key: string, linkId: string, visits: number): Promise<number | undefined> {
    type Counted = { granted: number; hits: number };
    const [row] = await this.#database.write<Counted>(TAKE_VISITS, [key, linkId, visits]);
    if (row) this.#places.noteHits(linkId, row.hits);
    return row?.granted;
  }
}
