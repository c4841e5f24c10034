import { statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { DurationHistogram } from '../../../lib/duration-histogram.ts';
import { toLine } from '../files/checked-line.ts';
import { createDurably, type OpenFile } from '../files/durable-file.ts';
import { headerLine } from '../files/file-header.ts';
import { journalPath } from '../files/generations.ts';
import type { JournalExtent } from '../loading/load-folder.ts';

/**
 * The current journal, and the transition to the next generation.
 *
 * After a failed write or sync, it is unknown what reached the disk, and another sync would not help,
 * because the kernel reports a lost page only once. So this file is never written again:
 * unacknowledged data is cut off, and writing continues in the next generation as soon as it can be
 * created. Its header contains the valid length of this one, in case truncating failed.
 */
export class Journal {
  readonly #folder: string;
  readonly #openFile: OpenFile;
  readonly #syncs: DurationHistogram;
  #file: FileHandle;
  #inode: number;
  #generation: number;
  /** The length of the file that is on disk. */
  #bytes: number;
  #isSealed = false;

  private constructor(
    folder: string,
    openFile: OpenFile,
    syncs: DurationHistogram,
    file: FileHandle,
    inode: number,
    { generation, bytes }: JournalExtent,
  ) {
    this.#folder = folder;
    this.#openFile = openFile;
    this.#syncs = syncs;
    this.#file = file;
    this.#inode = inode;
    this.#generation = generation;
    this.#bytes = bytes;
  }

  /**
   * Opens the last journal or creates the first one.
   *
   * @param syncs counts how long syncs of changes take
   */
  static async open(
    folder: string,
    last: JournalExtent | undefined,
    openFile: OpenFile,
    syncs: DurationHistogram,
  ) {
    const header = headerLine('journal', 1, 0);
    const extent = last ?? { generation: 1, bytes: Buffer.byteLength(header) };
    const path = journalPath(folder, extent.generation);
    const file = last
      ? await openFile(path, 'r+', 0o600)
      : await createDurably(path, header, openFile);
    return new Journal(folder, openFile, syncs, file, (await file.stat()).ino, extent);
  }

  get extent(): JournalExtent {
    return { generation: this.#generation, bytes: this.#bytes };
  }

  /**
   * Resolves once the lines are on disk, as one batch.
   *
   * @param lines each line's members
   * @returns how many bytes they take
   */
  async append(lines: string[]): Promise<number> {
    if (this.#isSealed) await this.beginNext();
    const start = this.#bytes;
    const batch = Buffer.from(lines.map((line) => toLine(`"batch":${start},${line}`)).join(''));
    try {
      await this.#write(batch);
      await this.#sync();
      this.#checkPlace();
    } catch (error) {
      await this.#seal();
      throw error;
    }
    this.#bytes += batch.length;
    return batch.length;
  }

  /** Ends this generation and starts the next one. If that fails, the next `append` tries again. */
  async beginNext(): Promise<void> {
    this.#isSealed = true;
    this.#checkPlace();
    const generation = this.#generation + 1;
    const header = headerLine('journal', generation, this.#bytes);
    const file = await createDurably(journalPath(this.#folder, generation), header, this.#openFile);
    const { ino } = await file.stat();
    // Errors do not matter, because the file is no longer used.
    await this.#file.close().catch(() => undefined);
    this.#file = file;
    this.#inode = ino;
    this.#generation = generation;
    this.#bytes = Buffer.byteLength(header);
    this.#isSealed = false;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const position = this.#bytes + written;
      const left = bytes.length - written;
      const { bytesWritten } = await this.#file.write(bytes, written, left, position);
      written += bytesWritten;
    }
  }

  async #sync(): Promise<void> {
    const start = performance.now();
    await this.#file.datasync();
    this.#syncs.record(performance.now() - start);
  }

  /**
   * Checks that the file still has its path: writes to a moved or removed folder succeed but would be
   * lost. Synchronous, because the thread pool would take thirty times as long.
   */
  #checkPlace(): void {
    const path = journalPath(this.#folder, this.#generation);
    if (statSync(path).ino !== this.#inode) throw new Error(`${path} was replaced by another file`);
  }

  async #seal(): Promise<void> {
    this.#isSealed = true;
    // If this fails, the next generation's header limits the length of this file.
    await this.#file.truncate(this.#bytes).catch(() => undefined);
    await this.#file.sync().catch(() => undefined);
  }
}
