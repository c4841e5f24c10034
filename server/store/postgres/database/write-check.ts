import { StoreUnavailableError } from '../../store.ts';
import type { Database } from './database.ts';

/** How long the result of the last write is valid: short, so that a balancer soon leaves the server out. */
const SUCCESS_VALID_MS = 5000;
const FAILURE_VALID_MS = 1000;

const TEST_WRITE = `INSERT INTO secrets (name, value) VALUES ('write-test', '')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/**
 * See `Store.checkWritable`.
 *
 * @param isConnected whether the database has answered lately: otherwise, a write is tried
 */
export function writeCheck(database: Database, isConnected: () => boolean): () => Promise<void> {
  /** A pending check, which concurrent callers share. */
  let pending: Promise<unknown> | undefined;
  return async () => {
    const { at, failure } = database.lastWrite;
    const ageMs = performance.now() - at;
    if (failure && ageMs < FAILURE_VALID_MS) {
      throw new StoreUnavailableError('The last write failed.', { cause: failure });
    }
    if (!failure && ageMs < SUCCESS_VALID_MS && isConnected()) return;
    pending ??= database.write(TEST_WRITE).finally(() => {
      pending = undefined;
    });
    await pending;
  };
}
