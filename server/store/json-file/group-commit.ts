import { StoreUnavailableError } from '../store.ts';

type Change = { undo: () => void; resolve: () => void; reject: (error: Error) => void };

/**
 * Makes changes durable, many with one write: those that come while a write is under way are
 * folded into the next. When a write fails, everything not yet durable is undone, newest first, so
 * that memory never tells what the disk does not hold.
 */
export class GroupCommit {
  readonly #write: () => Promise<void>;
  #waiting: Change[] = [];
  #writing: Change[] = [];
  #running: Promise<void> | undefined;

  /** @param write writes the state as it is when called, and resolves once that is on disk */
  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /**
   * Resolves once the change, already made in memory, is on disk.
   *
   * @throws StoreUnavailableError the write failed, and `undo` was called
   */
  commit(undo: () => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ undo, resolve, reject });
    this.#running ??= this.#run();
    return promise;
  }

  /** Resolves once all that was committed before is on disk; rejects if that failed. */
  async settled(): Promise<void> {
    if (this.#running) await this.commit(() => undefined);
  }

  async #run(): Promise<void> {
    // A tick later, so that calls of one moment share the first write, too.
    await undefined;
    while (this.#waiting.length > 0) {
      this.#writing = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write();
      } catch (error) {
        this.#fail(error);
        continue;
      }
      for (const change of this.#writing) change.resolve();
    }
    this.#running = undefined;
  }

  #fail(cause: unknown): void {
    const lost = [...this.#writing, ...this.#waiting];
    this.#waiting = [];
    for (const change of lost.toReversed()) change.undo();
    for (const change of lost) {
      change.reject(new StoreUnavailableError('The change could not be written.', { cause }));
    }
  }
}
