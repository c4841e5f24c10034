import { statSync } from 'node:fs';
import { type FileHandle, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adapter } from 'lowdb';
import type { Time } from '../../../shared/time.ts';
import { DurationHistogram } from '../../lib/time.ts';
import type { StoreMetrics } from '../store.ts';
import { FolderData } from './data/folder-data.ts';
import type { DataError } from './files/data-error.ts';
import { formatOf, type LineUpgrade, type UnsavedLine } from './files/formats.ts';
import { headerLine, journalPath, readGenerations, snapshotPath } from './files/generations.ts';
import { toLine } from './files/line-file.ts';
import { createDurably, type OpenFile, syncFolder } from './files/small-files.ts';
import { type JournalExtent, loadFolder } from './loading/load-folder.ts';
import { writeSnapshot } from './snapshot.ts';

type Options = {
  folder: string;
  openFile: OpenFile;
  time: Time;
  /** Counts how long syncs of changes take. */
  syncs: DurationHistogram;
  /** The format that is written. */
  version: number;
};

/** A generation that is written. `bytes` is the length of the file that is on disk. */
type Current = JournalExtent & { path: string; file: FileHandle; inode: number };

/**
 * The current journal, and the transition to the next generation.
 *
 * After a failed write or sync, it is unknown what reached the disk, and another sync would not help,
 * because the kernel reports a lost page only once. So this file is never written again:
 * unacknowledged data is cut off, and writing continues in the next generation as soon as it can be
 * created. Its header contains the valid length of this one, in case truncating failed.
 */
export class Journal {
  readonly #options: Options;
  #current: Current;
  #isSealed = false;

  private constructor(options: Options, current: Current) {
    this.#options = options;
    this.#current = current;
  }

  /** Opens the last journal, or creates the first one, or the first one of a new format. */
  static async open(last: JournalExtent | undefined, options: Options): Promise<Journal> {
    if (!last) return new Journal(options, await create(options, 1, 0));
    if (last.version < options.version) {
      return new Journal(options, await create(options, last.generation + 1, last.bytes));
    }
    const path = journalPath(options.folder, last.generation);
    const file = await options.openFile(path, 'r+', 0o600);
    return new Journal(options, { ...last, path, file, inode: (await file.stat()).ino });
  }

  get generation(): number {
    return this.#current.generation;
  }

  /**
   * Resolves once the lines are on disk, as one batch.
   *
   * @returns how many bytes they take
   */
  async append(lines: readonly UnsavedLine[]): Promise<number> {
    if (this.#isSealed) await this.beginNext();
    const { bytes: start } = this.#current;
    const batch = Buffer.from(lines.map((line) => toLine({ batch: start, ...line })).join(''));
    try {
      await this.#write(batch);
      await this.#sync();
      this.#checkPlace();
    } catch (error) {
      await this.#seal();
      throw error;
    }
    this.#current.bytes += batch.length;
    return batch.length;
  }

  /** Ends this generation and starts the next one. If that fails, the next `append` tries again. */
  async beginNext(): Promise<void> {
    this.#isSealed = true;
    this.#checkPlace();
    const { file, generation, bytes } = this.#current;
    this.#current = await create(this.#options, generation + 1, bytes);
    this.#isSealed = false;
    // Errors do not matter, because the file is no longer used.
    await file.close().catch(() => undefined);
  }

  close(): Promise<void> {
    return this.#current.file.close();
  }

  async #write(batch: Buffer): Promise<void> {
    const { file, bytes } = this.#current;
    for (let written = 0; written < batch.length; ) {
      const left = batch.length - written;
      const { bytesWritten } = await file.write(batch, written, left, bytes + written);
      written += bytesWritten;
    }
  }

  async #sync(): Promise<void> {
    const { syncs, time } = this.#options;
    const start = time.monotonic();
    await this.#current.file.datasync();
    syncs.record(time.monotonic() - start);
  }

  /**
   * Checks that the file still has its path: writes to a moved or removed folder succeed but would be
   * lost. Synchronous, because the thread pool would take thirty times as long.
   */
  #checkPlace(): void {
    const { path, inode } = this.#current;
    if (statSync(path).ino !== inode) {
      throw new Error(`${path} was replaced by another file`);
    }
  }

  async #seal(): Promise<void> {
    this.#isSealed = true;
    const { file, bytes } = this.#current;
    // If this fails, the next generation's header limits the length of this file.
    await file.truncate(bytes).catch(() => undefined);
    await file.sync().catch(() => undefined);
  }
}

async function create(
  options: Options,
  generation: number,
  previousBytes: number,
): Promise<Current> {
  const { version } = options;
  const header = headerLine('journal', generation, previousBytes, { version });
  const path = journalPath(options.folder, generation);
  const file = await createDurably(path, header, options.openFile);
  const { ino: inode } = await file.stat();
  return { generation, version, bytes: Buffer.byteLength(header), path, file, inode };
}

/** When to retry a failed snapshot. A full disk usually stays full for a while. */
const RETRY_MS = 60_000;
/** How long erased content may stay in the files, so that a snapshot erases much at once. */
const ERASE_AFTER_MS = 12 * 60 * 60 * 1000;

export type JournalAdapterOptions = {
  folder: string;
  time: Time;
  /** Called when a snapshot fails, which loses no data. */
  onError: (error: unknown) => void;
  /** Called with a sentence on data that was quarantined on opening. */
  onWarning: (message: string) => void;
  /** Size of the journals at which a snapshot replaces them, unless the snapshot before is larger. */
  compactAtBytes: number;
  /** Opens the journals. */
  openFile: OpenFile;
  /** How long files with erased content are kept for backups that are being made. */
  backupGraceMs: number;
  upgrades: readonly LineUpgrade[];
};

/**
 * lowdb adapter for a folder of journals and snapshots. lowdb's own adapters write all data every time;
 * this one appends what has changed, so its cost does not depend on the amount of data.
 *
 * A snapshot is written when the journals since the one before are as large as that one, so that each byte
 * is written again about once, and some hours after something was erased.
 *
 * @see docs/storage.md
 */
export class JournalAdapter implements Adapter<FolderData> {
  readonly #options: JournalAdapterOptions;
  readonly #syncs = new DurationHistogram();
  readonly #compactions = { completed: 0, failed: 0 };
  readonly #closing = new AbortController();
  /** Whether the folder had no data when it was read. */
  isNew = false;
  #journal: Journal | undefined;
  #snapshotBytes = 0;
  /** Size of all journals since the snapshot. */
  #journalBytes = 0;
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
  async read(): Promise<FolderData> {
    const { folder, time, onWarning, openFile, upgrades } = this.#options;
    const { outdated, unfinished } = readGenerations(folder);
    const data = new FolderData(time.now);
    const throwIt = (error: DataError) => {
      throw error;
    };
    const loaded = loadFolder(folder, data, throwIt, upgrades);
    const last = loaded.journals.at(-1);
    this.isNew = last === undefined;
    if (last && loaded.torn) {
      const { bytes, message } = loaded.torn.quarantine(folder);
      last.bytes = bytes;
      onWarning(message);
    }
    for (const name of [...outdated, ...unfinished]) await rm(join(folder, name), { force: true });
    this.#snapshotBytes = loaded.snapshotBytes;
    this.#journalBytes = loaded.journals.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#erasedAt = loaded.erasedAt;
    this.#snapshotErasedAt = loaded.snapshotErasedAt;
    const [version, syncs] = [formatOf(upgrades), this.#syncs];
    this.#journal = await Journal.open(last, { folder, openFile, time, syncs, version });
    return data;
  }

  /** Appends what is unsaved, and resolves when it is on disk. */
  async write(data: FolderData): Promise<void> {
    const journal = this.#journal;
    if (!journal) throw new Error('read() must be called first');
    const lines = data.unsaved;
    data.unsaved = [];
    if (this.#isCompactionDue()) await this.#compact(journal, data);
    if (lines.length === 0) return;
    const bytes = await journal.append(lines);
    this.#journalBytes += bytes;
    this.#erasedAt ??= lines.find(({ erasedAt }) => erasedAt !== undefined)?.erasedAt;
  }

  /** Whether the next `write` starts a snapshot because of what was erased. */
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

  metrics(): Pick<StoreMetrics, 'syncs' | 'dataBytes' | 'journalBytes' | 'compactions'> {
    return {
      syncs: this.#syncs,
      dataBytes: this.#snapshotBytes + this.#journalBytes,
      journalBytes: this.#journalBytes,
      compactions: { ...this.#compactions },
    };
  }

  /** Resolves when no snapshot is being written. */
  async settled(): Promise<void> {
    await this.#compacting;
  }

  /** Ends the snapshot that is being written, as a crash would. */
  endSnapshot(): void {
    this.#closing.abort();
  }

  /** Closes all files. */
  async close(): Promise<void> {
    this.endSnapshot();
    await this.#compacting;
    await this.#journal?.close();
  }

  #isCompactionDue(): boolean {
    const isLarge =
      this.#journalBytes >= Math.max(this.#options.compactAtBytes, this.#snapshotBytes);
    return isLarge ? this.#canCompact() : this.isErasureDue();
  }

  #canCompact(): boolean {
    return this.#compacting === undefined && this.#options.time.now() >= this.#noCompactionBefore;
  }

  /** Whether so much time has passed. A time in the future was measured by a wrong clock. */
  #isDue(since: number | undefined, afterMs: number): boolean {
    if (since === undefined) return false;
    const age = this.#options.time.now() - since;
    return age >= afterMs || age < 0;
  }

  /** Starts the next journal, and writes the snapshot before it in the background. */
  async #compact(journal: Journal, data: FolderData): Promise<void> {
    await journal.beginNext();
    this.#compacting = this.#writeSnapshot(journal.generation, data).finally(() => {
      this.#compacting = undefined;
    });
  }

  async #writeSnapshot(generation: number, data: FolderData): Promise<void> {
    const { folder, time, onError, upgrades } = this.#options;
    const [journalBytes, erasedAt] = [this.#journalBytes, this.#erasedAt];
    this.#erasedAt = undefined;
    const now = time.now();
    const { signal } = this.#closing;
    try {
      const snapshotErasedAt = erasedAt === undefined ? undefined : now;
      const header = { erasedAt: snapshotErasedAt, version: formatOf(upgrades) };
      await writeSnapshot({ folder, generation, data, ...header, signal, time });
      this.#snapshotErasedAt = snapshotErasedAt ?? this.#snapshotErasedAt;
      for (const name of readGenerations(folder).outdated) {
        await rm(join(folder, name), { force: true });
      }
      this.#snapshotBytes = statSync(snapshotPath(folder, generation)).size;
      this.#journalBytes -= journalBytes;
      this.#compactions.completed++;
    } catch (error) {
      if (signal.aborted) return;
      this.#erasedAt = erasedAt ?? this.#erasedAt;
      this.#noCompactionBefore = time.now() + RETRY_MS;
      this.#compactions.failed++;
      onError(error);
    }
  }
}
