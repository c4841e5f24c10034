import type { StoredCounters } from '../../counters.ts';
import type { Database } from '../database/database.ts';

const TAKE = 'SELECT is_counted, last_count, last_expires FROM take_counters($1, $2, $3, $4)';
/** In the order in which `take_counters` locks them. */
const TAKE_BACK = `WITH locked AS (
      SELECT key FROM counters WHERE key = ANY ($1::text[]) AND count > 0 AND expires > $2
      ORDER BY array_position($1::text[], key) FOR UPDATE
    ) UPDATE counters SET count = count - 1 FROM locked WHERE counters.key = locked.key`;
const READ = 'SELECT key, count, expires FROM counters WHERE key = ANY ($1) AND expires > $2';
const EXCHANGE = 'SELECT full_key, ends FROM exchange_counters($1, $2, $3, $4, $5, $6)';

type FullRow = { full_key: string; ends: number };
type TakenRow = { is_counted: boolean; last_count: number; last_expires: number };

/** Counters in the table `counters`, by functions of the database. */
export function postgresCounters(database: Database, clock: () => number): StoredCounters {
  return {
    take: async (counters, windowMs) => {
      const now = clock();
      const [row] = await database.writeUnconfirmed<TakenRow>(TAKE, [
        counters.map(({ key }) => key),
        counters.map(({ max }) => max),
        windowMs,
        now,
      ]);
      if (!row) throw new Error('the function returns a row');
      return { isCounted: row.is_counted, current: row.last_count, ttl: row.last_expires - now };
    },
    takeBack: async (counters) => {
      await database.writeUnconfirmed(TAKE_BACK, [counters.map(({ key }) => key), clock()]);
    },
    read: async (counters) => {
      const now = clock();
      const keys = counters.map(({ key }) => key);
      type Row = { key: string; count: number; expires: number };
      const rows = await database.read<Row>(READ, [keys, now]);
      const states = new Map(
        rows.map(({ key, count, expires }) => [key, { current: count, ttl: expires - now }]),
      );
      return keys.map((key) => states.get(key) ?? { current: 0, ttl: 0 });
    },
    exchange: async (additions, windowMs, sinceMs) => {
      // Sorted, so that two servers do not wait for each other.
      const sorted = additions.toSorted((a, b) => (a.key < b.key ? -1 : 1));
      const now = clock();
      const values = [
        sorted.map(({ key }) => key),
        sorted.map(({ count }) => count),
        sorted.map(({ max }) => max),
        windowMs,
        now,
        Math.floor(now - sinceMs),
      ];
      const rows = await (sorted.length > 0
        ? database.writeUnconfirmed<FullRow>(EXCHANGE, values)
        : database.read<FullRow>(EXCHANGE, values));
      return rows.map(({ full_key: key, ends }) => ({ key, ttl: ends - now }));
    },
  };
}
