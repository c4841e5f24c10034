import { StoreUnavailableError } from '../store.ts';

/** A change that waits for the disk. */
export type Pending<T> = {
  change: T;
  /** Called once it is on disk: only now memory takes it over. */
  keep: () => void;
  /** Called where it could not be written. */
  drop: (error: StoreUnavailableError) => void;
};

/**
 * Makes changes durable, many with one write: those that come while a write is under way go with
 * the next. Memory takes a change over only once the disk has it, so that nobody is ever shown
 * what a failure would take back.
 *
 * Callbacks, where one promise for each change would do as well: every create passes here.
 */
export class GroupCommit<T> {
  readonly #write: (changes: T[]) => Promise<void>;
  #waiting: Pending<T>[] = [];
  #running: Promise<void> | undefined;

  /** @param write resolves once the changes are on disk */
  constructor(write: (changes: T[]) => Promise<void>) {
    this.#write = write;
  }

  commit(pending: Pending<T>): void {
    this.#waiting.push(pending);
    this.#running ??= this.#run();
  }

  /** Resolves once nothing is under way any more. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    // After all requests that arrived together have been read, so that they share the first write.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(batch.map(({ change }) => change));
      } catch (cause) {
        const error = new StoreUnavailableError('The change could not be written.', { cause });
        for (const pending of batch) pending.drop(error);
        continue;
      }
      for (const pending of batch) pending.keep();
    }
    this.#running = undefined;
  }
}
