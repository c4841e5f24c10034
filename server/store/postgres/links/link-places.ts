import { LruMap } from 'toad-cache';
import type { Database } from '../database/database.ts';
import type { Statement } from '../database/statement.ts';

/** About 150 bytes each. */
const PLACES_MAX = 100_000;

const FIND_KEYS: Statement = {
  name: 'find_keys',
  text: 'SELECT id, key FROM aliases WHERE id = ANY($1)',
};

type Place = { key: string; hits: number };

/** Where links are, and their hits as they were last read. */
export class LinkPlaces {
  readonly #database: Database;
  readonly #places = new LruMap<Place>(PLACES_MAX);

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param key of its current alias */
  note(linkId: string, key: string, hits: number): void {
    // Answers may arrive in another order than that of their statements. Hits only grow.
    const earlier = this.#places.get(linkId)?.hits ?? 0;
    this.#places.set(linkId, { key, hits: Math.max(hits, earlier) });
  }

  noteHits(linkId: string, hits: number): void {
    const place = this.#places.get(linkId);
    if (place) place.hits = Math.max(hits, place.hits);
  }

  /** The key at which the link was last seen. */
  keyOf(linkId: string): string | undefined {
    return this.#places.get(linkId)?.key;
  }

  /** @param read what was read of the link @returns the hits, including those that were written since */
  hitsOf(linkId: string, read: number): number {
    return Math.max(read, this.#places.get(linkId)?.hits ?? 0);
  }

  /** Asks the database where links are. @returns keys by id */
  async look(linkIds: readonly string[]): Promise<Map<string, string>> {
    if (linkIds.length === 0) return new Map();
    const rows = await this.#database.read<{ id: string; key: string }>(FIND_KEYS, [linkIds]);
    for (const { id, key } of rows) this.note(id, key, 0);
    return new Map(rows.map(({ id, key }) => [id, key]));
  }
}
