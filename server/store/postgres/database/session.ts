import { hash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { endsConnection, isConflict, toStoreError } from './errors.ts';

/**
 * Changes have more time than lists and searches, which can be asked for again, and for less. Less than the
 * time until the connection is given up.
 */
const BEGIN = "BEGIN; SET LOCAL statement_timeout = '5s'";

/** The use of a connection by one call. */
export class DatabaseSession {
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

/** What PostgreSQL's driver takes as the value of a parameter. JSON is passed as text. */
export type Value = string | number | boolean | null | Buffer | readonly (string | number | null)[];

/** Runs a statement and returns its rows. */
export type Query = <Row extends object = Record<string, never>>(
  statement: string,
  values?: readonly Value[],
) => Promise<Row[]>;

const names = new Map<string, string>();

/** Returns a statement for the driver. Each connection prepares one with parameters once, by its name. */
export function toQueryConfig(text: string, values: readonly Value[]) {
  if (values.length === 0) return { text };
  const name = names.get(text) ?? hash('md5', text);
  names.set(text, name);
  return { name, text, values: [...values] };
}
