import type { ClientBase } from 'pg';
import { endsConnection, isConflict, toStoreError } from './errors.ts';
import { toQueryConfig, type Value } from './statement.ts';

/** A connection that remembers the time limit of its statements. */
type Client = ClientBase & { timeLimitMs?: number };

/** The use of a connection by one call. */
export class Session {
  readonly #client: Client;
  /** Statements of a transaction. */
  #sent: Promise<unknown>[] = [];
  /** The error after which the connection cannot be used any more. */
  failure: Error | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Sends the limit if the connection has another one, without waiting for the answer. */
  limitTime(ms: number): void {
    if (this.#client.timeLimitMs === ms) return;
    this.#client.timeLimitMs = ms;
    // If it fails, the connection is lost, and what is sent next fails as well.
    this.#client.query(`SET statement_timeout = ${ms}`).catch(() => {});
  }

  query<Row extends object>(statement: string, values: readonly Value[] = []): Promise<Row[]> {
    const rows = this.#query<Row>(statement, values);
    // Who does not wait for a statement of a transaction learns of its failure by that of the transaction.
    rows.catch(() => {});
    this.#sent.push(rows);
    return rows;
  }

  async transaction<T>(run: () => Promise<T>, onCommit: (start: number) => void): Promise<T> {
    this.#sent = [];
    void this.query('BEGIN');
    try {
      const result = await run();
      const start = performance.now();
      // After a statement that failed, it rolls back.
      void this.query('COMMIT');
      await Promise.all(this.#sent);
      onCommit(start);
      return result;
    } catch (error) {
      const results = await Promise.allSettled(this.#sent);
      // A connection that is lost rolls back by itself.
      if (!this.failure) await this.#query('ROLLBACK', []);
      // The statements after the first one that fails say only that there was one.
      throw results.find((result) => result.status === 'rejected')?.reason ?? error;
    }
  }

  async #query<Row extends object>(statement: string, values: readonly Value[]): Promise<Row[]> {
    try {
      const { rows } = await this.#client.query<Row>(toQueryConfig(statement, values));
      return rows;
    } catch (error) {
      if (endsConnection(error)) this.failure = error as Error;
      throw isConflict(error) ? error : toStoreError(error);
    }
  }
}
