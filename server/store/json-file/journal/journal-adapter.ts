import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adapter } from 'lowdb';
import { DurationHistogram } from '../../../core/duration-histogram.ts';
import type { StoreMetrics } from '../../store.ts';
import { type OpenFile, syncFolder } from '../files/durable-file.ts';
import { readGenerations, snapshotPath } from '../files/generations.ts';
import type { Change } from '../files/line-record.ts';
import { type JournalExtent, loadFolder } from '../loading/load-folder.ts';
import { State } from '../memory/state.ts';
import { Compaction } from './compaction.ts';
import { Journal } from './journal.ts';

/** When to retry a failed compaction. A full disk usually stays full for a while. */
const COMPACTION_RETRY_MS = 60_000;
/** How long erased content may stay in the files, so that a compaction erases much at once. */
const ERASE_AFTER_MS = 12 * 60 * 60 * 1000;

export type JournalAdapterOptions = {
  folder: string;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Called when a compaction fails, which loses no data. */
  onError: (error: unknown) => void;
  /** Called with a sentence on data that was quarantined on opening. */
  onWarning: (message: string) => void;
  /** Minimum number of bytes that a compaction saves. */
  compactAtBytes: number;
  openFile: OpenFile;
  /** How long files with erased content are kept for backups that are being made. */
  backupGraceMs: number;
};

/**
 * lowdb adapter for a folder of journals and snapshots. lowdb's own adapters write all data every time;
 * this one writes only changes, so its cost does not depend on the amount of data.
 *
 * Compared to a journal, a snapshot omits waste: previous versions of edited links, single hits and
 * expired idempotency keys. A snapshot is created when half of the data is waste, so that at most one
 * byte is written again for each wasted byte, and some hours after a link or an account was erased.
 *
 * @see docs/design.md, "Data folder"
 */
export class JournalAdapter implements Adapter<State> {
  readonly #options: JournalAdapterOptions;
  readonly #compaction = new Compaction();
  readonly #syncs = new DurationHistogram();
  readonly #compactions = { completed: 0, failed: 0 };
  #journal: Journal | undefined;
  #snapshot: number | undefined;
  /** Complete journals for the next snapshot. */
  #sealed: JournalExtent[] = [];
  #totalBytes = 0;
  #wasteBytes = 0;
  #compacting: Promise<void> | undefined;
  #noCompactionBefore = Number.NEGATIVE_INFINITY;
  /** When the first of the changes since the snapshot erased something. */
  #erasedAt: number | undefined;
  /** When the snapshot was written, if older files have content that was erased. */
  #snapshotErasedAt: number | undefined;

  constructor(options: JournalAdapterOptions) {
    this.#options = options;
  }

  /** @throws StoreOpenError if the data cannot be read; nothing is changed then */
  async read(): Promise<State> {
    const { folder, clock, onWarning, openFile } = this.#options;
    const { outdated, unfinished } = readGenerations(folder);
    const state = new State(clock());
    const loaded = loadFolder(folder, state, (error) => {
      throw error;
    });
    if (loaded.torn) onWarning(loaded.torn.tail.quarantine(folder, loaded.torn.path));
    for (const name of [...outdated, ...unfinished]) await rm(join(folder, name), { force: true });
    this.#snapshot = loaded.snapshot;
    this.#sealed = loaded.journals.slice(0, -1);
    this.#totalBytes = loaded.totalBytes;
    this.#wasteBytes = loaded.wasteBytes;
    this.#erasedAt = loaded.erasedAt;
    this.#snapshotErasedAt = loaded.snapshotErasedAt;
    this.#journal = await Journal.open(folder, loaded.journals.at(-1), openFile, this.#syncs);
    return state;
  }

  /** lowdb's way to save everything. There is nothing to do: what changes is appended as it comes. */
  async write(): Promise<void> {}

  /** Resolves once the changes are on disk. */
  async append(changes: Change[]): Promise<void> {
    const journal = this.#journal;
    if (!journal) throw new Error('read() must be called first');
    if (this.#isCompactionDue()) await this.#compact(journal);
    const { generation } = journal.extent;
    const before = journal.extent;
    const written = await journal.append(changes.map(({ members }) => members));
    if (journal.extent.generation !== generation) this.#sealed.push(before);
    this.#totalBytes += written;
    this.#wasteBytes += written;
    for (const { retainedBytes, erasedAt } of changes) {
      this.#wasteBytes -= retainedBytes;
      this.#erasedAt ??= erasedAt;
    }
  }

  /** Whether the next `append` starts a compaction because of what was erased. */
  isErasureDue(): boolean {
    return this.#isDue(this.#erasedAt, ERASE_AFTER_MS) && this.#canCompact();
  }

  /** Removes files with content that was erased, unless a backup may still need them. */
  async removeErased(): Promise<void> {
    const { folder, backupGraceMs } = this.#options;
    if (!this.#isDue(this.#snapshotErasedAt, backupGraceMs)) return;
    // Requests that a crash tore are not part of the data, but may have the same content.
    for (const name of [...readGenerations(folder).previous, 'journal.torn']) {
      await rm(join(folder, name), { force: true });
    }
    await syncFolder(folder);
    this.#snapshotErasedAt = undefined;
  }

  metrics(): Pick<StoreMetrics, 'syncs' | 'dataBytes' | 'wasteBytes' | 'compactions'> {
    return {
      syncs: this.#syncs,
      dataBytes: this.#totalBytes,
      wasteBytes: this.#wasteBytes,
      compactions: { ...this.#compactions },
    };
  }

  /** Closes all files. */
  async close(): Promise<void> {
    await this.#compaction.stop();
    await this.#compacting;
    await this.#journal?.close();
  }

  #isCompactionDue(): boolean {
    const waste = this.#wasteBytes;
    const isWorthIt = waste >= this.#options.compactAtBytes && waste >= this.#totalBytes - waste;
    return isWorthIt ? this.#canCompact() : this.isErasureDue();
  }

  #canCompact(): boolean {
    return this.#compacting === undefined && this.#options.clock() >= this.#noCompactionBefore;
  }

  /** Whether so much time has passed. A time in the future was measured by a wrong clock. */
  #isDue(since: number | undefined, afterMs: number): boolean {
    if (since === undefined) return false;
    const age = this.#options.clock() - since;
    return age >= afterMs || age < 0;
  }

  /** Starts the next journal, and compacts the previous ones in the background. */
  async #compact(journal: Journal): Promise<void> {
    const last = journal.extent;
    await journal.beginNext();
    this.#sealed.push(last);
    this.#compacting = this.#createSnapshot(last.generation + 1).finally(() => {
      this.#compacting = undefined;
    });
  }

  async #createSnapshot(generation: number): Promise<void> {
    const { folder, clock, onError } = this.#options;
    const [waste, total, erasedAt] = [this.#wasteBytes, this.#totalBytes, this.#erasedAt];
    this.#erasedAt = undefined;
    const now = clock();
    const journals = [...this.#sealed];
    try {
      const task = { folder, snapshot: this.#snapshot, journals, now };
      if (!(await this.#compaction.run(task))) return;
      if (erasedAt !== undefined) this.#snapshotErasedAt = now;
      this.#snapshot = generation;
      this.#sealed = this.#sealed.slice(journals.length);
      this.#totalBytes += statSync(snapshotPath(folder, generation)).size - total;
      this.#wasteBytes -= waste;
      this.#compactions.completed++;
    } catch (error) {
      this.#erasedAt = erasedAt ?? this.#erasedAt;
      this.#noCompactionBefore = clock() + COMPACTION_RETRY_MS;
      this.#compactions.failed++;
      onError(error);
    }
  }
}
