import pg from 'pg';
import { DurationHistogram } from '../../../core/duration-histogram.ts';
import type { ConnectionUrl } from './connection-url.ts';
import { isConflict, toStoreError } from './errors.ts';
import { numberTypes } from './number-types.ts';
import { Session } from './session.ts';
import type { Query, Statement, Value } from './statement.ts';

/** To wait for a free connection, or to open one. */
const CONNECT_MS = 3000;
/** Then the database gives up a statement. */
const STATEMENT_MS = 5000;
/** Then the connection is given up: the network hangs. */
const ANSWER_MS = STATEMENT_MS + 1000;
const IDLE_MS = 60_000;
/** Attempts of a transaction that fails because of others. */
const ATTEMPTS_MAX = 10;

/**
 * Runs statements on a pool of connections. Every method rejects with `StoreUnavailableError` within
 * seconds if the database cannot be used.
 */
export class Database {
  /** How long the database took to confirm what was written. */
  readonly syncs = new DurationHistogram();
  readonly #pool: pg.Pool;
  #writtenAt = Number.NEGATIVE_INFINITY;

  /** @param onError called with errors of idle connections */
  constructor({ hosts, poolSize }: ConnectionUrl, onError: (error: unknown) => void) {
    this.#pool = new pg.Pool({
      connectionString: hosts[0]?.connectionString,
      fallback_application_name: 'curt',
      types: numberTypes,
      max: poolSize,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: IDLE_MS,
      statement_timeout: STATEMENT_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    });
    this.#pool.on('error', onError);
  }

  /** When a write was last confirmed, as of `performance.now()`. */
  get writtenAt(): number {
    return this.#writtenAt;
  }

  /** Runs one statement that changes nothing. */
  async read<Row extends object>(
    statement: Statement,
    values: readonly Value[] = [],
  ): Promise<Row[]> {
    return this.#withSession((session) => session.query<Row>(statement, values));
  }

  /** Runs one statement that is a transaction of its own. */
  write<Row extends object>(statement: Statement, values: readonly Value[] = []): Promise<Row[]> {
    return this.#untilDecided(async (session) => {
      const start = performance.now();
      const rows = await session.query<Row>(statement, values);
      this.#confirm(start);
      return rows;
    });
  }

  /**
   * Runs statements in one transaction. It is repeated if it fails because of others, so `run` must have
   * no effect elsewhere.
   */
  transaction<T>(run: (query: Query) => Promise<T>): Promise<T> {
    return this.#untilDecided((session) =>
      session.transaction(
        () => run((statement, values) => session.query(statement, values)),
        (start) => this.#confirm(start),
      ),
    );
  }

  /** Waits for statements under way. */
  close(): Promise<void> {
    return this.#pool.end();
  }

  #confirm(start: number): void {
    this.#writtenAt = performance.now();
    this.syncs.record(this.#writtenAt - start);
  }

  async #untilDecided<T>(run: (session: Session) => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.#withSession(run);
      } catch (error) {
        if (!isConflict(error)) throw error;
        if (attempts === ATTEMPTS_MAX) throw toStoreError(error);
      }
    }
  }

  async #withSession<T>(run: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw toStoreError(error);
    });
    const session = new Session(client);
    // Without a listener, a lost connection would end the process. The statement under way fails as well.
    const fail = (error: Error) => {
      session.failure = error;
    };
    client.on('error', fail);
    try {
      return await run(session);
    } finally {
      client.off('error', fail);
      client.release(session.failure);
    }
  }
}
