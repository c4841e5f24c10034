import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { DurationHistogram } from '../../../lib/duration-histogram.ts';
import { StoreUnavailableError } from '../../store.ts';
import { isConflict, toStoreError } from './errors.ts';
import { CONNECTION, type HostClient, type Hosts } from './hosts.ts';
import { Session } from './session.ts';
import type { Query, Value } from './statement.ts';

const TIME_LIMITS = {
  /** Then the database gives up a statement. Less than the time until the connection is given up. */
  statement_timeout: '5s',
  /**
   * Then the database ends a transaction whose server does not go on, and with it its locks. Less than
   * the time for which others wait for these.
   */
  idle_in_transaction_session_timeout: '4s',
};
const IDLE_MS = 60_000;
const CLOSE_MS = 5000;
/** Attempts of a transaction that fails because of others. */
const ATTEMPTS_MAX = 10;

/** When it ended, as of `performance.now()`. */
export type LastWrite = { at: number; failure: StoreUnavailableError | undefined };

/**
 * Runs statements on a pool of connections. Every method rejects with `StoreUnavailableError` within
 * seconds if the database cannot be used.
 */
export class Database {
  /** How long the database took to confirm what was written. */
  readonly syncs = new DurationHistogram();
  /** Also those that no caller waits for, such as hits. */
  failedWrites = 0;
  readonly #hosts: Hosts;
  readonly #pool: pg.Pool;
  #lastWrite: LastWrite = { at: Number.NEGATIVE_INFINITY, failure: undefined };

  /** @param onError called with errors of idle connections */
  constructor(hosts: Hosts, poolSize: number, onError: (error: unknown) => void) {
    this.#hosts = hosts;
    this.#pool = new pg.Pool({
      ...CONNECTION,
      Client: hosts.clientClass(),
      max: poolSize,
      idleTimeoutMillis: IDLE_MS,
      onConnect: (client) => hosts.prepare(client as HostClient, TIME_LIMITS),
    });
    this.#pool.on('error', (error) => onError(toIdleError(error)));
  }

  get lastWrite(): LastWrite {
    return this.#lastWrite;
  }

  /** Runs one statement that changes nothing. */
  read<Row extends object>(statement: string, values: readonly Value[] = []): Promise<Row[]> {
    return this.#withSession((session) => session.query<Row>(statement, values));
  }

  /** Runs one statement that is a transaction of its own. */
  write<Row extends object>(statement: string, values: readonly Value[] = []): Promise<Row[]> {
    return this.#untilDecided(async (session) => {
      const start = performance.now();
      const rows = await session.query<Row>(statement, values);
      this.#confirm(start);
      return rows;
    });
  }

  /**
   * As `write`, for what may leave nothing on disk: unlogged tables, and rows to delete that may not exist.
   * Success says nothing about whether the database can be written.
   */
  writeUnconfirmed<Row extends object>(
    statement: string,
    values: readonly Value[],
  ): Promise<Row[]> {
    return this.#untilDecided((session) => session.query<Row>(statement, values));
  }

  /**
   * Runs statements in one transaction. It is repeated if it fails because of others, so `run` must have
   * no effect elsewhere. Statements are sent at once, also before others are answered. The transaction is not
   * committed if one of them fails, even if `run` does not wait for it.
   */
  transaction<T>(run: (query: Query) => Promise<T>): Promise<T> {
    return this.#untilDecided((session) =>
      session.transaction(
        () => run((statement, values) => session.query(statement, values)),
        (start) => this.#confirm(start),
      ),
    );
  }

  /** Waits for statements under way, but not for a host that does not answer. */
  async close(): Promise<void> {
    await Promise.race([this.#pool.end(), setTimeout(CLOSE_MS, undefined, { ref: false })]);
  }

  #confirm(start: number): void {
    const at = performance.now();
    this.#lastWrite = { at, failure: undefined };
    this.syncs.record(at - start);
  }

  async #untilDecided<T>(run: (session: Session) => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.#withSession(run);
      } catch (error) {
        if (isConflict(error) && attempts < ATTEMPTS_MAX) continue;
        const failure = toStoreError(error);
        if (failure instanceof StoreUnavailableError) {
          this.failedWrites++;
          this.#lastWrite = { at: performance.now(), failure };
        }
        throw failure;
      }
    }
  }

  async #withSession<T>(run: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#connect();
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
      if (session.failure) this.#hosts.failed(client.index);
      client.release(session.failure);
    }
  }

  /** A free connection, or a new one to the first host that accepts writes. */
  async #connect(): Promise<pg.PoolClient & HostClient> {
    for (let attempts = 1; ; attempts++) {
      const host = this.#hosts.current;
      try {
        return (await this.#pool.connect()) as pg.PoolClient & HostClient;
      } catch (error) {
        const isOtherHost = this.#hosts.current !== host;
        if (!isOtherHost || attempts === this.#hosts.count) throw toStoreError(error);
      }
    }
  }
}

/** A new error, because the pool adds the connection to its own, and with it the password. */
function toIdleError(error: Error): Error {
  return new Error(`An idle connection to the database was lost: ${error.message}`);
}
