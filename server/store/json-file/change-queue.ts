import type { Low } from 'lowdb';
import { type StoreRecord, toRecordJson } from '../records.ts';
import { type Change, type Facts, PendingFacts } from '../rules/change.ts';
import { StoreUnavailableError } from '../store.ts';
import type { FolderData } from './data/folder-data.ts';
import type { UnsavedLine } from './files/formats.ts';

/** How long the result of the last write is valid for `checkWritable`. */
const SUCCESS_VALID_MS = 60_000;
const FAILURE_VALID_MS = 5000;

type Pending = {
  /** Applies the change to memory once it is on disk. */
  complete: () => void;
  fail: (error: StoreUnavailableError) => void;
};

/** Changes that share a write, and what is true after them. */
type Batch = { changes: Pending[]; facts: PendingFacts };

/**
 * Makes changes one after the other. Each is decided at once, on top of what is pending. Changes that arrive
 * during a write share the next one. Memory changes once they are on disk, so nobody is shown what a failure
 * would undo. If a write fails, everything that is pending fails, since it may depend on it.
 *
 * It uses callbacks instead of several promises for each change, because every create passes here.
 *
 * @see docs/storage.md
 */
export class ChangeQueue {
  readonly #low: Low<FolderData>;
  readonly #clock: () => number;
  #writing: Batch | undefined;
  #next: Batch;
  #running: Promise<void> | undefined;
  /** A pending check, which concurrent callers share. */
  #check: Promise<void> | undefined;
  /** When the last write ended, and its error if it failed. */
  #lastWrite: { at: number; failure: unknown } | undefined;
  failedWrites = 0;

  /**
   * @param low its adapter writes what is in `unsaved` of the data
   * @param clock milliseconds since the epoch
   */
  constructor(low: Low<FolderData>, clock: () => number) {
    this.#low = low;
    this.#clock = clock;
    this.#next = this.#newBatch();
  }

  /** Changes that are being written or wait for it. */
  get pendingCount(): number {
    return this.#next.changes.length + (this.#writing?.changes.length ?? 0);
  }

  /**
   * Makes a change. Resolves with its outcome when everything that it may depend on is on disk.
   *
   * @param decide its facts have what is pending, too
   * @throws StoreUnavailableError if it cannot be written; then nothing has changed
   */
  async make<T>({ decide }: Pick<Change<T>, 'decide'>): Promise<T> {
    const { outcome, records } = decide(this.#next.facts);
    if (records.length === 0 && this.pendingCount === 0) return outcome;
    for (const record of records) this.#next.facts.add(record);
    const line = records.length === 0 ? undefined : toChangeLine(records, this.#clock());
    return this.append(line, () => {
      for (const record of records) this.#low.data.apply(record);
      return outcome;
    });
  }

  /**
   * Writes a line.
   *
   * @param line undefined: nothing but what is pending
   * @param apply called when it is on disk
   */
  append<T>(line: UnsavedLine | undefined, apply: () => T): Promise<T> {
    if (line) this.#low.data.unsaved.push(line);
    return new Promise((resolve, reject) => {
      this.#next.changes.push({ complete: () => resolve(apply()), fail: reject });
      this.#running ??= this.#run();
    });
  }

  /** Writes a line without effect. */
  writeNothing(): Promise<void> {
    return this.append({ records: [] }, () => {});
  }

  /** See `Store.checkWritable`. */
  async checkWritable(): Promise<void> {
    if (this.#lastWrite) {
      const { at, failure } = this.#lastWrite;
      const age = this.#clock() - at;
      const validMs = failure ? FAILURE_VALID_MS : SUCCESS_VALID_MS;
      if (age >= 0 && age < validMs) {
        if (!failure) return;
        throw new StoreUnavailableError('The last write failed.', { cause: failure });
      }
    }
    this.#check ??= this.writeNothing().finally(() => {
      this.#check = undefined;
    });
    await this.#check;
  }

  /** Resolves when no write is pending. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    // Waits until all requests that arrived together are parsed, so that they share the first write.
    await new Promise(setImmediate);
    while (this.#next.changes.length > 0) {
      const batch = this.#next;
      this.#writing = batch;
      this.#next = this.#newBatch(batch.facts);
      try {
        await this.#low.write();
      } catch (cause) {
        this.#lastWrite = { at: this.#clock(), failure: cause };
        this.#failAll(cause);
        continue;
      }
      this.#lastWrite = { at: this.#clock(), failure: undefined };
      for (const { complete } of batch.changes) complete();
      this.#writing = undefined;
      this.#next.facts.below = this.#low.data;
    }
    this.#running = undefined;
  }

  #failAll(cause: unknown): void {
    const error = new StoreUnavailableError('The change could not be written.', { cause });
    const failed = [...(this.#writing?.changes ?? []), ...this.#next.changes];
    this.#low.data.unsaved = [];
    this.#writing = undefined;
    this.#next = this.#newBatch();
    this.failedWrites++;
    for (const { fail } of failed) fail(error);
  }

  #newBatch(below: Facts = this.#low.data): Batch {
    return { changes: [], facts: new PendingFacts(below) };
  }
}

/** Returns the line of a change. @param now milliseconds since the epoch */
function toChangeLine(records: readonly StoreRecord[], now: number): UnsavedLine {
  const json = records.map(toRecordJson);
  return records.some(erases) ? { erasedAt: now, records: json } : { records: json };
}

function erases([kind, , value]: StoreRecord): boolean {
  return value === null && (kind === 'link' || kind === 'account');
}
