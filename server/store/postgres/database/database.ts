import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import pg from 'pg';
import { Places } from '../../../lib/places.ts';
import { busy } from '../../../lib/service-error.ts';
import { DurationHistogram } from '../../../lib/time.ts';
import { StoreUnavailableError } from '../../store.ts';
import { isConflict, isFull, isTimeout, reasonOf, toStoreError } from './errors.ts';
import { CONNECTION, FULL_RETRY_MS, type HostClient, type Hosts } from './hosts.ts';
import { DatabaseSession, type Query, type Value } from './session.ts';

const TIME_LIMITS = {
  /** Then the database gives up a statement, unless it is in a transaction: see `DatabaseSession`. */
  statement_timeout: '3s',
  /**
   * Then the database ends a transaction whose server does not go on, and with it its locks. Less than
   * the time for which others wait for these.
   */
  idle_in_transaction_session_timeout: '4s',
};
const IDLE_MS = 60_000;
const CLOSE_MS = 5000;
/** How long a list waits until others are done. */
const LIST_WAIT_MS = 2000;
/** How long anything but a visit waits for a connection. */
const OTHERS_WAIT_MS = CONNECTION.connectionTimeoutMillis;
/** Before it tries again whether the database allows more connections. */
const RAISE_MS = 60_000;
/** Attempts of a transaction that fails because of others. */
const ATTEMPTS_MAX = 10;

/** How long the result of the last write is valid: short, so that a balancer soon leaves the server out. */
const SUCCESS_VALID_MS = 5000;
const FAILURE_VALID_MS = 1000;
const TEST_WRITE = `INSERT INTO secrets (name, value) VALUES ('write-test', '')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** When it ended, as of `performance.now()`. */
type LastWrite = { at: number; failure: StoreUnavailableError | undefined };

/** Connections that only visits use. */
const forVisits = (poolSize: number) => Math.min(2, Math.floor(poolSize / 2));

/**
 * Runs statements on a pool of connections. Visits can use all of them, other statements all but a few,
 * and lists half of these. Every method rejects with `StoreUnavailableError` within
 * seconds if the database cannot be used.
 */
export class Database {
  /** How long the database took to confirm what was written. */
  readonly syncs = new DurationHistogram();
  /** Failed writes, also those that no caller waits for, such as hits. */
  failedWrites = 0;
  readonly #hosts: Hosts;
  readonly #poolSize: number;
  readonly #pool: pg.Pool;
  readonly #onError: (error: unknown) => void;
  /** Connections for everything but visits. */
  readonly #others: Places;
  readonly #lists: Places;
  #isLimited = false;
  #raiseTimer: NodeJS.Timeout | undefined;
  #lastWrite: LastWrite = { at: Number.NEGATIVE_INFINITY, failure: undefined };
  /** A pending check, which concurrent callers share. */
  #check: Promise<unknown> | undefined;

  /** @param onError called with errors of idle connections, and once if the database allows fewer */
  constructor(hosts: Hosts, poolSize: number, onError: (error: unknown) => void) {
    this.#hosts = hosts;
    this.#poolSize = poolSize;
    this.#onError = onError;
    this.#others = new Places(othersOf(poolSize));
    this.#lists = new Places(listsOf(poolSize));
    this.#pool = new pg.Pool({
      ...CONNECTION,
      Client: hosts.clientClass(),
      max: poolSize,
      idleTimeoutMillis: IDLE_MS,
      onConnect: (client) => hosts.prepare(client as HostClient, TIME_LIMITS),
    });
    this.#pool.on('error', (error) => onError(toIdleError(error)));
  }

  /** Runs one statement that changes nothing. */
  read<Row extends object>(statement: string, values: readonly Value[] = []): Promise<Row[]> {
    return this.#asOther((session) => session.query<Row>(statement, values));
  }

  /** Reads like `read`, for what a visitor waits for. */
  readForVisit<Row extends object>(statement: string, values: readonly Value[]): Promise<Row[]> {
    return this.#withSession((session) => session.query<Row>(statement, values));
  }

  /**
   * As `read`, for what may have to look at many rows.
   *
   * @param waits however long others take, and tries again if it takes too long itself. @default false
   * @throws ServiceError `busy` if too many others do the same, or if it takes too long
   */
  async readList<Row extends object>(
    statement: string,
    values: readonly Value[],
    waits = false,
  ): Promise<Row[]> {
    const read = () => this.#withSession((session) => session.query<Row>(statement, values));
    const readAsOther = () =>
      this.#others.use(waits ? undefined : OTHERS_WAIT_MS, read, throwing(allInUse));
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.#lists.use(
          waits ? undefined : LIST_WAIT_MS,
          readAsOther,
          throwing(listTooSlow),
        );
      } catch (error) {
        if (!isTimeout(error)) throw error;
        if (!waits || attempts === ATTEMPTS_MAX) throw listTooSlow();
      }
    }
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

  /**
   * See `Store.checkWritable`.
   *
   * @param isConnected whether the database has answered lately: otherwise, a write is tried
   */
  async checkWritable(isConnected: boolean): Promise<void> {
    const { at, failure } = this.#lastWrite;
    const ageMs = performance.now() - at;
    if (failure && ageMs < FAILURE_VALID_MS) {
      throw new StoreUnavailableError('The last write failed.', { cause: failure });
    }
    if (!failure && ageMs < SUCCESS_VALID_MS && isConnected) return;
    this.#check ??= this.write(TEST_WRITE).finally(() => {
      this.#check = undefined;
    });
    await this.#check;
  }

  /** Waits for statements under way, but not for a host that does not answer. */
  async close(): Promise<void> {
    clearTimeout(this.#raiseTimer);
    await Promise.race([this.#pool.end(), setTimeoutPromise(CLOSE_MS, undefined, { ref: false })]);
  }

  #confirm(start: number): void {
    const at = performance.now();
    this.#lastWrite = { at, failure: undefined };
    this.syncs.record(at - start);
  }

  async #untilDecided<T>(run: (session: DatabaseSession) => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.#asOther(run);
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

  #asOther<T>(run: (session: DatabaseSession) => Promise<T>): Promise<T> {
    return this.#others.use(OTHERS_WAIT_MS, () => this.#withSession(run), throwing(allInUse));
  }

  async #withSession<T>(run: (session: DatabaseSession) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    const session = new DatabaseSession(client);
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
      client.release(session.failure ?? this.#pool.totalCount > this.#pool.options.max);
    }
  }

  /** A free connection, or a new one to the first host that accepts writes. */
  async #connect(): Promise<pg.PoolClient & HostClient> {
    const deadline = performance.now() + CONNECTION.connectionTimeoutMillis;
    for (let attempts = 1; ; ) {
      const host = this.#hosts.current;
      try {
        return (await this.#pool.connect()) as pg.PoolClient & HostClient;
      } catch (error) {
        if (isFull(error) && performance.now() < deadline) {
          this.#useFewer(error);
          if (this.#pool.totalCount === 0) await setTimeoutPromise(FULL_RETRY_MS);
          continue;
        }
        const isOtherHost = this.#hosts.current !== host;
        if (!isOtherHost || attempts++ === this.#hosts.count) throw toStoreError(error);
      }
    }
  }

  /** The database allows no more connections, so those that there are must do. */
  #useFewer(error: unknown): void {
    this.#resize(Math.max(1, this.#pool.totalCount));
    clearTimeout(this.#raiseTimer);
    this.#raiseTimer = setTimeout(() => this.#resize(this.#poolSize), RAISE_MS).unref();
    if (!this.#isLimited) {
      this.#isLimited = true;
      this.#onError(
        new Error(
          `The database allows this server fewer connections than the ${this.#poolSize} of pool_size (${reasonOf(error)}). The server goes on with those that it gets. Allow more, or lower pool_size.`,
        ),
      );
    }
  }

  #resize(count: number): void {
    this.#pool.options.max = count;
    this.#others.resize(othersOf(count));
    this.#lists.resize(listsOf(count));
  }
}

const othersOf = (poolSize: number) => poolSize - forVisits(poolSize);
const listsOf = (poolSize: number) => Math.ceil(othersOf(poolSize) / 2);

function throwing(create: () => Error): () => never {
  return () => {
    throw create();
  };
}

function allInUse(): Error {
  return new StoreUnavailableError(
    'The database cannot be used at the moment: all connections are in use.',
  );
}

function listTooSlow(): Error {
  return busy('The list takes too long at the moment. Try again shortly.');
}

/** A new error, because the pool adds the connection to its own, and with it the password. */
function toIdleError(error: Error): Error {
  return new Error(`An idle connection to the database was lost: ${error.message}`);
}
