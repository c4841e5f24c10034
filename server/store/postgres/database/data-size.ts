import type { Database } from './database.ts';

/** How old the size may be when it is read again. */
const VALID_MS = 5000;

const MEASURE = `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS bytes FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`;

/**
 * Measures the size of all tables.
 *
 * @returns `bytes`: as of the last call or a few seconds ago; it measures again in the background
 */
export function dataSize(database: Database, onError: (error: unknown) => void) {
  let bytes = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  const measure = async () => {
    measuredAt = performance.now();
    const [row] = await database.read<{ bytes: number }>(MEASURE);
    bytes = row?.bytes ?? 0;
  };
  return {
    measure,
    bytes: () => {
      if (performance.now() - measuredAt > VALID_MS) measure().catch(onError);
      return bytes;
    },
  };
}
