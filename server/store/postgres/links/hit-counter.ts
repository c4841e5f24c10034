import type { Time } from '../../../../shared/time.ts';
import type { Database } from '../database/database.ts';

/** How long hits may be delayed: a crash loses those of this time. */
const WRITE_MS = 1000;
/** Links that one transaction updates at most. */
const TOGETHER = 1000;

/** All servers lock rows in one order, so that none waits for another that waits for it. */
export const ADD_HITS = `WITH locked AS (SELECT id FROM links WHERE id = ANY ($1) ORDER BY id FOR UPDATE)
    UPDATE links SET hits = hits + more
    FROM locked JOIN unnest($1::text[], $2::bigint[]) AS counted (id, more) USING (id)
    WHERE links.id = locked.id`;

/** Counts hits in memory and writes the sums at most once per second. */
export class HitCounter {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  /** Hits that are still to be written, by link id. */
  #waiting = new Map<string, number>();
  /** Hits that are being written, by link id. */
  #taken: ReadonlyMap<string, number> = new Map();
  #writing: Promise<void> | undefined;
  readonly #time: Time;
  #cancelWrite: (() => void) | undefined;

  constructor(database: Database, onError: (error: unknown) => void, time: Time) {
    this.#database = database;
    this.#onError = onError;
    this.#time = time;
  }

  count(linkId: string): void {
    this.#add(linkId, 1);
  }

  /** Resolves when all hits of the link so far are in the database. */
  async settle(linkId: string): Promise<void> {
    while (this.#waiting.has(linkId) || this.#taken.has(linkId)) await this.#write();
  }

  /** Writes the remaining hits. */
  async close(): Promise<void> {
    try {
      await this.#write();
    } finally {
      this.#cancelWrite?.();
    }
  }

  #add(linkId: string, hits: number): void {
    this.#waiting.set(linkId, (this.#waiting.get(linkId) ?? 0) + hits);
    this.#cancelWrite ??= this.#time.after(WRITE_MS, () => this.#write().catch(this.#onError));
  }

  /** Writes what was counted so far, after what is being written. */
  async #write(): Promise<void> {
    while (this.#writing) await this.#writing.catch(() => {});
    this.#cancelWrite?.();
    this.#cancelWrite = undefined;
    this.#writing = this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async #writeWaiting(): Promise<void> {
    this.#taken = this.#waiting;
    this.#waiting = new Map();
    const left = [...this.#taken];
    try {
      while (left.length > 0) {
        const part = left.slice(0, TOGETHER);
        const columns = [part.map(([id]) => id), part.map(([, hits]) => hits)];
        // Those that are not found were erased.
        await this.#database.write(ADD_HITS, columns);
        left.splice(0, TOGETHER);
      }
    } finally {
      this.#taken = new Map();
      for (const [id, hits] of left) this.#add(id, hits);
    }
  }
}
