import { StoreUnavailableError } from '../../store.ts';
import type { Database } from './database.ts';

/** How long the result of the last write is valid: short, so that a balancer soon leaves the server out. */
const SUCCESS_VALID_MS = 5000;
const FAILURE_VALID_MS = 1000;

const TEST_WRITE = `INSERT INTO secrets (name, value) VALUES ('write-test', '')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** See `Store.checkWritable`. */
export class WriteCheck {
  readonly #database: Database;
  readonly #isConnected: () => boolean;
  /** A pending check, which concurrent callers share. */
  #check: Promise<void> | undefined;

  /** @param isConnected whether the database has answered lately: otherwise, a write is tried */
  constructor(database: Database, isConnected: () => boolean) {
    this.#database = database;
    this.#isConnected = isConnected;
  }

  async check(): Promise<void> {
    const { at, failure } = this.#database.lastWrite;
    const ageMs = performance.now() - at;
    if (failure && ageMs < FAILURE_VALID_MS) {
      throw new StoreUnavailableError('The last write failed.', { cause: failure });
    }
    if (!failure && ageMs < SUCCESS_VALID_MS && this.#isConnected()) return;
    this.#check ??= this.#database
      .write(TEST_WRITE)
      .then(() => {})
      .finally(() => {
        this.#check = undefined;
      });
    await this.#check;
  }
}
