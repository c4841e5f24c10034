import type { Database } from './database.ts';

/** How old the size may be when it is read again. */
const VALID_MS = 5000;

const MEASURE = `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS bytes FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`;

/** The size of all tables, as it was a while ago. */
export class DataSize {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  #bytes = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** As of the last call or a few seconds ago. Measures again in the background. */
  get bytes(): number {
    if (performance.now() - this.#measuredAt > VALID_MS) this.measure().catch(this.#onError);
    return this.#bytes;
  }

  async measure(): Promise<void> {
    this.#measuredAt = performance.now();
    const [row] = await this.#database.read<{ bytes: number }>(MEASURE);
    this.#bytes = row?.bytes ?? 0;
  }
}
