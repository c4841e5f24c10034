import { takeVisit } from '../../decide/take-visit.ts';
import type { Database } from '../database/database.ts';
import type { Statement } from '../database/statement.ts';
import type { HitCounter } from './hit-counter.ts';
import { fromLinkRow, STORED_LINK, type StoredLink } from './link-row.ts';

export const LOCK_LINK: Statement = {
  name: 'lock_link',
  text: `SELECT ${STORED_LINK} FROM visible_links WHERE id = $1 FOR UPDATE`,
};
export const SET_HITS: Statement = {
  name: 'set_hits',
  text: 'UPDATE links SET hits = $2 WHERE id = $1',
};

type Visitor = PromiseWithResolvers<boolean>;

/**
 * Counts visits of links with `maxVisits`, each in the database before the visitor passes. Visitors of one
 * link who come while others are being counted are counted together.
 */
export class VisitTaker {
  readonly #database: Database;
  readonly #hits: HitCounter;
  /** By link id: who waits for those that are being counted. */
  readonly #waiting = new Map<string, Visitor[]>();

  constructor(database: Database, hits: HitCounter) {
    this.#database = database;
    this.#hits = hits;
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
        const outcomes = await this.#count(linkId, visitors.length);
        for (const [index, visitor] of visitors.entries())
          visitor.resolve(outcomes[index] === true);
      } catch (error) {
        for (const visitor of visitors) visitor.reject(error);
      }
      visitors = waiting;
    }
    this.#waiting.delete(linkId);
  }

  /** @returns for each visit whether it may pass */
  async #count(linkId: string, visits: number): Promise<boolean[]> {
    // Hits from before the link had a limit.
    await this.#hits.settle(linkId);
    const { outcomes, hits } = await this.#database.transaction(async (query) => {
      const [row] = await query<StoredLink>(LOCK_LINK, [linkId]);
      const link = row && fromLinkRow(row);
      const outcomes: boolean[] = [];
      for (let visit = 0; visit < visits; visit++) {
        const { outcome, records } = takeVisit(link);
        outcomes.push(outcome);
        for (const [kind, , value] of records) if (link && kind === 'hits') link.hits = value ?? 0;
      }
      if (link && outcomes.includes(true)) void query(SET_HITS, [linkId, link.hits]);
      return { outcomes, hits: link?.hits };
    });
    if (hits !== undefined) this.#hits.noteWritten(linkId, hits);
    return outcomes;
  }
}
