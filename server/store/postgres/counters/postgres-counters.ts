import type { StoredCounter, StoredCounters, Taken, WindowState } from '../../counters.ts';
import type { Database } from '../database/database.ts';

const TAKE = {
  name: 'take-counters',
  text: 'SELECT full_at, counts, expiries FROM take_counters($1, $2, $3, $4)',
};
const TAKE_BACK = { name: 'take-back-counters', text: 'SELECT take_back_counters($1, $2)' };
const READ = {
  name: 'read-counter',
  text: 'SELECT count, expires FROM counters WHERE key = $1 AND expires > $2',
};
const ADD = { name: 'add-counters', text: 'SELECT add_counters($1, $2, $3, $4, $5)' };
const LIST_FULL = {
  name: 'list-full-counters',
  text: 'SELECT key, expires FROM counters WHERE full_since > $1 AND expires > $2',
};

/** The driver reads arrays of `bigint` as texts. */
type TakenRow = { full_at: number | null; counts: string[]; expiries: string[] };

/** Counters in the table `counters`, by functions of the database. */
export class PostgresCounters implements StoredCounters {
  readonly #database: Database;
  readonly #clock: () => number;

  constructor(database: Database, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  async take(counters: readonly StoredCounter[]): Promise<Taken> {
    const now = this.#clock();
    const [row] = await this.#database.write<TakenRow>(TAKE, [
      counters.map(({ key }) => key),
      counters.map(({ max }) => max),
      counters.map(({ windowMs }) => windowMs),
      now,
    ]);
    if (!row) throw new Error('the function returns a row');
    const states = row.counts.map((current, index) => {
      return { current: Number(current), ttl: Number(row.expiries[index]) - now };
    });
    if (row.full_at === null) return { isCounted: true, states };
    return { isCounted: false, full: row.full_at - 1, waitMs: states.at(-1)?.ttl ?? 0 };
  }

  async takeBack(counters: readonly StoredCounter[]): Promise<void> {
    await this.#database.write(TAKE_BACK, [counters.map(({ key }) => key), this.#clock()]);
  }

  async read({ key }: StoredCounter): Promise<WindowState> {
    const now = this.#clock();
    const [row] = await this.#database.read<{ count: number; expires: number }>(READ, [key, now]);
    return row ? { current: row.count, ttl: row.expires - now } : { current: 0, ttl: 0 };
  }

  async add(additions: readonly (StoredCounter & { count: number })[]): Promise<void> {
    // Sorted, so that two servers do not wait for each other.
    const sorted = additions.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    await this.#database.write(ADD, [
      sorted.map(({ key }) => key),
      sorted.map(({ count }) => count),
      sorted.map(({ max }) => max),
      sorted.map(({ windowMs }) => windowMs),
      this.#clock(),
    ]);
  }

  async listFull(sinceMs: number): Promise<{ key: string; ttl: number }[]> {
    const now = this.#clock();
    const rows = await this.#database.read<{ key: string; expires: number }>(LIST_FULL, [
      Math.floor(now - sinceMs),
      now,
    ]);
    return rows.map(({ key, expires }) => ({ key, ttl: expires - now }));
  }
}
