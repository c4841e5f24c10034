import type { ConnectionUrl } from './connection-url.ts';
import { Database } from './database.ts';
import { reasonOf } from './errors.ts';
import { Hosts } from './hosts.ts';
import type { Value } from './statement.ts';

/** A standby of the database, which may be a little behind. It is asked while the database cannot be used. */
export class Standby {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  #isFailing = false;

  /** @param onError called once each time that the standby cannot be used any more */
  constructor(url: ConnectionUrl, onError: (error: unknown) => void) {
    // The loss of an idle connection shows when it is used.
    this.#database = new Database(new Hosts(url, 'standby'), url.poolSize, () => {});
    this.#onError = onError;
  }

  /** @returns nothing if it cannot be used either */
  async read<Row extends object>(statement: string, values: readonly Value[]): Promise<Row[]> {
    try {
      const rows = await this.#database.readForVisit<Row>(statement, values);
      this.#isFailing = false;
      return rows;
    } catch (error) {
      if (!this.#isFailing) {
        this.#onError(
          new Error(`The database in STORE_READ_URL cannot be used: ${reasonOf(error)}.`),
        );
      }
      this.#isFailing = true;
      return [];
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
