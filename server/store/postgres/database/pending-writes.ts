import { StoreUnavailableError } from '../../store.ts';

/** Counts the calls that write. */
export class PendingWrites {
  /** Calls under way. */
  count = 0;
  /** Calls that the database could not serve. */
  failed = 0;

  track<T>(call: Promise<T>): Promise<T> {
    this.count++;
    return call.then(
      (result) => {
        this.count--;
        return result;
      },
      (error: unknown) => {
        this.count--;
        if (error instanceof StoreUnavailableError) this.failed++;
        throw error;
      },
    );
  }
}
