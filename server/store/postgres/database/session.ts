import type { ClientBase } from 'pg';
import { endsConnection, isConflict, toStoreError } from './errors.ts';
import { toQueryConfig, type Value } from './statement.ts';

/**
 * Changes have more time than lists and searches, which can be asked for again, and for less. Less than the
 * time until the connection is given up.
 */
const BEGIN = "BEGIN; SET LOCAL statement_timeout = '5s'";

/** The use of a connection by one call. */
export class Session {
  readonly #client: ClientBase;
  /** Statements of a transaction. */
  #sent: Promise<unknown>[] = [];
  /** The error after which the connection cannot be used any more. */
  failure: Error | undefined;

  constructor(client: ClientBase) {
    this.#client = client;
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
    void this.query(BEGIN);
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
