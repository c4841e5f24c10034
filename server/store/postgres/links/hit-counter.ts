import type { Database } from '../database/database.ts';
import type { Statement } from '../database/statement.ts';
import type { LinkPlaces } from './link-places.ts';

/** How long hits may be delayed, and how many milliseconds of hits a crash may lose. */
const WRITE_MS = 1000;
/** Links that one transaction updates at most. */
const TOGETHER = 1000;

export const ADD_HITS: Statement = { name: 'add_hits', text: 'SELECT * FROM add_hits($1, $2, $3)' };

/** Hits of a link that were not written yet. */
type Counter = { hits: number; isTaken: boolean };
type Counters = Map<string, Counter>;

/** Counts hits in memory and writes the sums at most once per second. */
export class HitCounter {
  readonly #database: Database;
  readonly #places: LinkPlaces;
  readonly #onError: (error: unknown) => void;
  /** By link id. */
  #counters: Counters = new Map();
  /** Those that are being written, or were written last. */
  #taken: Counters = new Map();
  #writing: Promise<void> | undefined;
  /** Writes that have ended. */
  #writes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, places: LinkPlaces, onError: (error: unknown) => void) {
    this.#database = database;
    this.#places = places;
    this.#onError = onError;
  }

  count(linkId: string): void {
    this.#counterOf(linkId).hits++;
  }

  /** See `Store.hitCounter`. */
  counterOf(linkId: string): () => void {
    let counter = this.#counterOf(linkId);
    return () => {
      if (counter.isTaken) counter = this.#counterOf(linkId);
      counter.hits++;
    };
  }

  /**
   * Reads links so that their hits and those in memory are exact together: again, if hits of one of them
   * were being written meanwhile.
   */
  async readWithHits<T extends { id: string }>(read: () => Promise<T[]>): Promise<T[]> {
    for (;;) {
      const writes = this.#writes;
      const found = await read();
      if (!found.some(({ id }) => this.#mayBeWritten(id, writes))) return found;
      await this.#writing?.catch(() => {});
    }
  }

  /** Hits of a link that are not in the database yet. */
  unwritten(linkId: string): number {
    const taken = this.#writing ? (this.#taken.get(linkId)?.hits ?? 0) : 0;
    return taken + (this.#counters.get(linkId)?.hits ?? 0);
  }

  /** Resolves when all hits of the link so far are in the database. */
  async settle(linkId: string): Promise<void> {
    while (this.unwritten(linkId) > 0) await this.#write();
  }

  /** Writes the remaining hits. */
  async close(): Promise<void> {
    try {
      await this.#write();
    } finally {
      clearTimeout(this.#timer);
    }
  }

  #counterOf(linkId: string): Counter {
    let counter = this.#counters.get(linkId);
    if (!counter) {
      counter = { hits: 0, isTaken: false };
      this.#counters.set(linkId, counter);
      this.#timer ??= setTimeout(() => this.#write().catch(this.#onError), WRITE_MS);
    }
    return counter;
  }

  #mayBeWritten(linkId: string, writesBefore: number): boolean {
    if (this.#writing) return this.#taken.has(linkId);
    const writes = this.#writes - writesBefore;
    return writes > 1 || (writes === 1 && this.#taken.has(linkId));
  }

  /** Writes what was counted so far, after what is being written. */
  async #write(): Promise<void> {
    while (this.#writing) await this.#writing.catch(() => {});
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#taken = this.#counters;
    this.#counters = new Map();
    for (const counter of this.#taken.values()) counter.isTaken = true;
    this.#writing = this.#writeTaken().finally(() => {
      this.#writes++;
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async #writeTaken(): Promise<void> {
    const counted = [...this.#taken].filter(([, { hits }]) => hits > 0);
    const hits = new Map(counted.map(([linkId, counter]) => [linkId, counter.hits]));
    try {
      await this.#add(hits, (linkId) => this.#places.keyOf(linkId));
      const places = await this.#places.look([...hits.keys()]);
      // Those that were renamed since, or are not known. The others were erased.
      await this.#add(hits, (linkId) => places.get(linkId));
    } catch (error) {
      for (const [linkId, more] of hits) this.#counterOf(linkId).hits += more;
      throw error;
    }
  }

  /** Adds the hits of links whose key is known, and removes what was added from `hits`. */
  async #add(
    hits: Map<string, number>,
    keyOf: (linkId: string) => string | undefined,
  ): Promise<void> {
    const rows = [...hits].flatMap(([id, count]) => {
      const key = keyOf(id);
      return key === undefined ? [] : [{ key, id, count }];
    });
    // All servers update rows in the same order, so that none waits for another one in a circle.
    rows.sort((one, other) => (one.key < other.key ? -1 : 1));
    for (let start = 0; start < rows.length; start += TOGETHER) {
      const part = rows.slice(start, start + TOGETHER);
      const columns = (['key', 'id', 'count'] as const).map((name) => part.map((row) => row[name]));
      const added = await this.#database.write<{ id: string; hits: number }>(ADD_HITS, columns);
      for (const row of added) {
        this.#places.noteHits(row.id, row.hits);
        hits.delete(row.id);
        this.#taken.set(row.id, { hits: 0, isTaken: true });
      }
    }
  }
}
