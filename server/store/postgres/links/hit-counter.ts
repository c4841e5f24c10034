import { LruMap } from 'toad-cache';
import type { Link } from '../../link.ts';
import { changedLink } from '../../records/link-json.ts';
import type { Database } from '../database/database.ts';

/** How long hits may be delayed, and how many milliseconds of hits a crash may lose. */
const WRITE_MS = 1000;
/** Links that one transaction updates at most. */
const TOGETHER = 1000;
/** Links whose written hits are remembered. */
const KNOWN_MAX = 100_000;

/** All servers lock rows in one order, so that none waits for another that waits for it. */
export const ADD_HITS = `WITH locked AS (SELECT id FROM links WHERE id = ANY ($1) ORDER BY id FOR UPDATE)
    UPDATE links SET hits = hits + more
    FROM locked JOIN unnest($1::text[], $2::bigint[]) AS counted (id, more) USING (id)
    WHERE links.id = locked.id RETURNING links.id, hits`;

/** Counts hits in memory and writes the sums at most once per second. */
export class HitCounter {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  /** By link id: hits that are still to be written. */
  #waiting = new Map<string, number>();
  /** Those that are being written: whether a look-up has them is not known. */
  readonly #taken = new Map<string, number>();
  /** The hits in the database, of links whose hits were written lately. */
  readonly #written = new LruMap<number>(KNOWN_MAX);
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  count(linkId: string): void {
    this.#add(linkId, 1);
  }

  /** Reads links. Waits for hits of them that are being written, so that those of `withHits` are exact. */
  async readWithHits<T extends { id: string }>(read: () => Promise<T[]>): Promise<T[]> {
    const found = await read();
    if (found.some(({ id }) => this.#taken.has(id))) await this.#writing?.catch(() => {});
    return found;
  }

  /** The link with the hits that were counted since it was read. */
  withHits(link: Link): Link {
    const { id } = link;
    const hits = Math.max(link.hits, this.#written.get(id) ?? 0) + this.#unwritten(id);
    return changedLink(link, { hits });
  }

  /** @param hits as they are in the database. They only grow. */
  noteWritten(linkId: string, hits: number): void {
    this.#written.set(linkId, Math.max(hits, this.#written.get(linkId) ?? 0));
  }

  /** Resolves when all hits of the link so far are in the database. */
  async settle(linkId: string): Promise<void> {
    while (this.#unwritten(linkId) > 0) await this.#write();
  }

  /** Writes the remaining hits. */
  async close(): Promise<void> {
    try {
      await this.#write();
    } finally {
      clearTimeout(this.#timer);
    }
  }

  /** Hits of a link that are not in the database yet. */
  #unwritten(linkId: string): number {
    return (this.#taken.get(linkId) ?? 0) + (this.#waiting.get(linkId) ?? 0);
  }

  #add(linkId: string, hits: number): void {
    this.#waiting.set(linkId, (this.#waiting.get(linkId) ?? 0) + hits);
    this.#timer ??= setTimeout(() => this.#write().catch(this.#onError), WRITE_MS);
  }

  /** Writes what was counted so far, after what is being written. */
  async #write(): Promise<void> {
    while (this.#writing) await this.#writing.catch(() => {});
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async #writeWaiting(): Promise<void> {
    const left = [...this.#waiting];
    this.#waiting = new Map();
    for (const [id, hits] of left) this.#taken.set(id, hits);
    try {
      while (left.length > 0) {
        const part = left.slice(0, TOGETHER);
        const columns = [part.map(([id]) => id), part.map(([, hits]) => hits)];
        const added = await this.#database.write<{ id: string; hits: number }>(ADD_HITS, columns);
        for (const { id, hits } of added) this.noteWritten(id, hits);
        // Those that were not found were erased.
        for (const [id] of left.splice(0, TOGETHER)) this.#taken.delete(id);
      }
    } finally {
      for (const [id, hits] of left) {
        this.#taken.delete(id);
        this.#add(id, hits);
      }
    }
  }
}
