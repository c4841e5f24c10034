import type { Time } from '../../../shared/time.ts';
import type { StoreRecord } from '../records.ts';
import type { ChangeQueue } from './change-queue.ts';
import type { FolderData } from './data/folder-data.ts';

/** How long hits may be delayed: a crash loses those of this time. */
const WRITE_MS = 1000;
/** More would make a line that takes too long to write. */
const RECORDS_A_LINE = 5000;

/** Remembers which links have new hits, and writes them once a second. */
export class UnsavedHits {
  readonly #data: FolderData;
  readonly #changes: ChangeQueue;
  readonly #onError: (error: unknown) => void;
  #linkIds = new Set<string>();
  readonly #time: Time;
  #cancelWrite: (() => void) | undefined;

  constructor(
    data: FolderData,
    changes: ChangeQueue,
    onError: (error: unknown) => void,
    time: Time,
  ) {
    this.#data = data;
    this.#changes = changes;
    this.#onError = onError;
    this.#time = time;
  }

  /** The link's hits in memory have grown. */
  add(linkId: string): void {
    this.#linkIds.add(linkId);
    this.#cancelWrite ??= this.#time.after(WRITE_MS, () => this.#write().catch(this.#onError));
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    try {
      await this.#write();
    } finally {
      this.#cancelWrite?.();
    }
  }

  async #write(): Promise<void> {
    this.#cancelWrite?.();
    this.#cancelWrite = undefined;
    const linkIds = [...this.#linkIds];
    this.#linkIds = new Set();
    const lines: Promise<void>[] = [];
    for (let start = 0; start < linkIds.length; start += RECORDS_A_LINE) {
      const records = this.#toRecords(linkIds.slice(start, start + RECORDS_A_LINE));
      lines.push(this.#changes.make({ decide: () => ({ outcome: undefined, records }) }));
    }
    try {
      await Promise.all(lines);
    } catch (error) {
      for (const linkId of linkIds) this.add(linkId);
      throw error;
    }
  }

  /** Makes the records of the links that still exist. */
  #toRecords(linkIds: string[]): StoreRecord[] {
    return linkIds.flatMap((linkId): StoreRecord[] => {
      const link = this.#data.link(linkId);
      return link ? [['hits', linkId, link.hits]] : [];
    });
  }
}
