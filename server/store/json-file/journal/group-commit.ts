import { StoreUnavailableError } from '../../store.ts';

/** What to do with a change after its write. */
export type Pending<T> = {
  change: T;
  /** Called when the change is on disk, to apply it to memory. */
  apply: () => void;
  /** Called if the write failed. */
  discard: (error: StoreUnavailableError) => void;
};

/**
 * Writes changes durably, many at once: changes that arrive during a write share the next one. A
 * change is applied to memory only when it is on disk, so that reads never return data that a failure
 * would undo. It uses callbacks instead of a promise for each change, because every create passes here.
 *
 * @see docs/design.md, "Data folder"
 */
export class GroupCommit<T> {
  readonly #write: (changes: T[]) => Promise<void>;
  #waiting: Pending<T>[] = [];
  #writing = 0;
  #running: Promise<void> | undefined;

  /** @param write resolves once the changes are on disk */
  constructor(write: (changes: T[]) => Promise<void>) {
    this.#write = write;
  }

  commit(pending: Pending<T>): void {
    this.#waiting.push(pending);
    this.#running ??= this.#run();
  }

  /** Changes that are being written or wait for it. */
  get pendingChanges(): number {
    return this.#writing + this.#waiting.length;
  }

  /** Resolves when no write is pending. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    // Waits until all requests that arrived together are parsed, so that they share the first write.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#writing = batch.length;
      try {
        await this.#write(batch.map(({ change }) => change));
      } catch (cause) {
        const error = new StoreUnavailableError('The change could not be written.', { cause });
        for (const pending of batch) pending.discard(error);
        continue;
      }
      for (const pending of batch) pending.apply();
    }
    this.#writing = 0;
    this.#running = undefined;
  }
}
