import type { ConnectionUrl } from '../database/connection-url.ts';
import { Database } from '../database/database.ts';
import { isConflict, reasonOf } from '../database/errors.ts';
import { Hosts } from '../database/hosts.ts';
import type { Query } from '../database/statement.ts';
import { withinTime } from '../database/within-time.ts';
import { LAG_MAX_MS, type LogMarks, type LogPlace, READ_STANDBY_PLACE } from './log-marks.ts';

/** Then the primary is asked instead. */
const ANSWER_MS = 500;
/** How long a replica that failed is left alone. */
const RETRY_MS = 1000;

/**
 * A standby of the database, which is asked for links. It may be behind: a connection is asked only for
 * what has not changed since the moment that it is known to have reached.
 */
export class Replica {
  readonly #hosts: Hosts;
  readonly #poolSize: number;
  readonly #marks: LogMarks;
  readonly #onError: (error: unknown) => void;
  /** By connection, because each may lead to another standby: a moment that it has reached. */
  readonly #reached = new WeakMap<object, number>();
  #database: Database;
  #failedAt: number | undefined;
  #isProbed = false;
  #isClosed = false;

  /** @param onError called once each time that the replica cannot be used any more */
  constructor(url: ConnectionUrl, marks: LogMarks, onError: (error: unknown) => void) {
    this.#hosts = new Hosts(url, 'standby');
    this.#poolSize = url.poolSize;
    this.#marks = marks;
    this.#onError = onError;
    this.#database = this.#connect();
  }

  /**
   * Reads what belongs to an alias.
   *
   * @returns undefined if the replica cannot be used, or might not have the last change of the alias
   */
  async read<T>(key: string, run: (query: Query) => Promise<T>): Promise<T | undefined> {
    if (this.#failedAt !== undefined) {
      this.#probe(this.#failedAt);
      return undefined;
    }
    if (this.#marks.changedAt(key) >= this.#marks.newestAt) return undefined;
    const database = this.#database;
    try {
      return await withinTime(
        database.readTogether(async (query, connection) => {
          const isCurrent = await this.#isCurrent(key, query, connection);
          return isCurrent ? run(query) : undefined;
        }),
        ANSWER_MS,
      );
    } catch (error) {
      // Otherwise, it has been given up already.
      if (!isConflict(error) && database === this.#database) this.#fail(error);
      return undefined;
    }
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#database.close();
  }

  async #isCurrent(key: string, query: Query, connection: object): Promise<boolean> {
    const reached = this.#reached.get(connection);
    if (reached !== undefined && this.#isUnchangedSince(reached, key)) return true;
    const at = await this.#ask(query);
    this.#reached.set(connection, at);
    return this.#isUnchangedSince(at, key);
  }

  /** Earlier changes are not known. */
  #isUnchangedSince(at: number, key: string): boolean {
    return at >= this.#marks.oldestAt && at > this.#marks.changedAt(key);
  }

  /** @throws Error if the standby cannot be used, whatever is asked for */
  async #ask(query: Query): Promise<number> {
    const [place] = await query<LogPlace>(READ_STANDBY_PLACE);
    if (!place) throw new Error('it is not a standby');
    const at = this.#marks.timeOf(place);
    if (at === undefined) {
      throw new Error(
        `it is more than ${LAG_MAX_MS / 1000} seconds behind, or follows another database`,
      );
    }
    return at;
  }

  #connect(): Database {
    // The loss of an idle connection shows when it is used.
    return new Database(this.#hosts, this.#poolSize, () => {});
  }

  #fail(error: unknown): void {
    // What was under way fails then, and no connections are needed any more.
    if (this.#isClosed) return;
    if (this.#failedAt === undefined) {
      this.#onError(
        new Error(`The database in STORE_READ_URL is not used at the moment: ${reasonOf(error)}.`),
      );
    }
    this.#failedAt = performance.now();
    // New connections may lead to another host.
    void this.#database.close();
    this.#database = this.#connect();
  }

  /** Finds out whether the replica can be used again, while nobody waits for it. */
  #probe(failedAt: number): void {
    if (this.#isProbed || performance.now() - failedAt < RETRY_MS) return;
    this.#isProbed = true;
    withinTime(
      this.#database.readTogether((query) => this.#ask(query)),
      ANSWER_MS,
    )
      .then(
        () => {
          this.#failedAt = undefined;
        },
        (error: unknown) => this.#fail(error),
      )
      .finally(() => {
        this.#isProbed = false;
      });
  }
}
