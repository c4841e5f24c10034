import { StoreUnavailableError } from '../store.ts';

/** A change that waits for the disk. */
export type Pending = {
  /** Called once it is on disk, before anybody is told. */
  keep: () => void;
  /** Called where it could not be written. */
  drop: () => void;
};

type Waiting<T> = Pending & { change: T; resolve: () => void; reject: (error: Error) => void };

/**
 * Makes changes durable, many with one write: those that come while a write is under way go with
 * the next. Memory takes a change over only once the disk has it, so that nobody is ever shown
 * what a failure would take back.
 */
export class GroupCommit<T> {
  readonly #write: (changes: T[]) => Promise<void>;
  #waiting: Waiting<T>[] = [];
  #running: Promise<void> | undefined;

  /** @param write resolves once the changes are on disk */
  constructor(write: (changes: T[]) => Promise<void>) {
    this.#write = write;
  }

  /**
   * Resolves once the change is on disk.
   *
   * @throws StoreUnavailableError it could not be written, and was dropped
   */
  commit(change: T, { keep, drop }: Pending): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ change, keep, drop, resolve, reject });
    this.#running ??= this.#run();
    return promise;
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
        for (const { drop, reject } of batch) {
          drop();
          reject(new StoreUnavailableError('The change could not be written.', { cause }));
        }
        continue;
      }
      for (const { keep } of batch) keep();
      for (const { resolve } of batch) resolve();
    }
    this.#running = undefined;
  }
}
