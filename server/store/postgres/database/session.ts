import type { ClientBase } from 'pg';
import { endsConnection, isConflict, toStoreError } from './errors.ts';
import type { Statement, Value } from './statement.ts';

/** The use of a connection by one call. */
export class Session {
  readonly #client: ClientBase;
  /** The error after which the connection cannot be used any more. */
  failure: Error | undefined;

  constructor(client: ClientBase) {
    this.#client = client;
  }

  async query<Row extends object>(
    statement: Statement | string,
    values: readonly Value[] = [],
  ): Promise<Row[]> {
    const named = typeof statement === 'string' ? { text: statement } : statement;
    try {
      const { rows } = await this.#client.query<Row>({ ...named, values: [...values] });
      return rows;
    } catch (error) {
      if (endsConnection(error)) this.failure = error as Error;
      throw isConflict(error) ? error : toStoreError(error);
    }
  }

  async transaction<T>(run: () => Promise<T>, onCommit: (start: number) => void): Promise<T> {
    await this.query('BEGIN');
    try {
      const result = await run();
      const start = performance.now();
      await this.query('COMMIT');
      onCommit(start);
      return result;
    } catch (error) {
      // A connection that is lost rolls back by itself.
      if (!this.failure) await this.query('ROLLBACK');
      throw error;
    }
  }
}
