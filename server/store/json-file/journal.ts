import { statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { toLine } from './checked-line.ts';
import { createDurably, type OpenFile } from './durable-file.ts';
import { headerLine } from './file-header.ts';
import { journalPath } from './generations.ts';
import type { JournalExtent } from './load-folder.ts';

/**
 * The journal that is being written, and the way from one generation to the next.
 *
 * When a write or a sync fails, nobody knows what of it reached the disk, and a second sync would
 * not tell (the kernel reports a lost page once). So this file is never written again: what was
 * not acknowledged is cut off, the next generation's header says where this one ends in case that
 * could not be done, and writing goes on in there, once it can be made.
 */
export class Journal {
  readonly #folder: string;
  readonly #openFile: OpenFile;
  #file: FileHandle;
  #inode: number;
  #generation: number;
  /** How far the file is on disk. */
  #bytes: number;
  #isSealed: boolean;

  private constructor(
    folder: string,
    openFile: OpenFile,
    file: FileHandle,
    inode: number,
    { generation, bytes }: JournalExtent,
    isSealed: boolean,
  ) {
    this.#folder = folder;
    this.#openFile = openFile;
    this.#file = file;
    this.#inode = inode;
    this.#generation = generation;
    this.#bytes = bytes;
    this.#isSealed = isSealed;
  }

  /**
   * Goes on with the journal that is there, or begins the first.
   *
   * @param isOutdated the one that is there is of an older version: the first `append` begins the
   * next, and until then a server of that version can still be started
   */
  static async open(
    folder: string,
    last: JournalExtent | undefined,
    isOutdated: boolean,
    openFile: OpenFile,
  ) {
    const header = headerLine('journal', 1, 0);
    const extent = last ?? { generation: 1, bytes: Buffer.byteLength(header) };
    const path = journalPath(folder, extent.generation);
    const file = last
      ? await openFile(path, 'r+', 0o600)
      : await createDurably(path, header, openFile);
    return new Journal(folder, openFile, file, (await file.stat()).ino, extent, isOutdated);
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
      await this.#file.datasync();
      this.#checkPlace();
    } catch (error) {
      await this.#seal();
      throw error;
    }
    this.#bytes += batch.length;
    return batch.length;
  }

  /** Ends this generation, and begins the next. Should that fail, the next `append` tries again. */
  async beginNext(): Promise<void> {
    this.#isSealed = true;
    this.#checkPlace();
    const generation = this.#generation + 1;
    const header = headerLine('journal', generation, this.#bytes);
    const file = await createDurably(journalPath(this.#folder, generation), header, this.#openFile);
    const { ino } = await file.stat();
    // Nothing of it matters any more.
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
      written += (await this.#file.write(bytes, written, left, position)).bytesWritten;
    }
  }

  /**
   * A folder that was moved or removed takes writes as before, and nobody would find them. Asked
   * without a detour through the thread pool, which takes thirty times as long.
   */
  #checkPlace(): void {
    const path = journalPath(this.#folder, this.#generation);
    if (statSync(path).ino !== this.#inode) throw new Error(`${path} is another file now`);
  }

  async #seal(): Promise<void> {
    this.#isSealed = true;
    // As far as the disk lets us: see the class's comment for when it does not.
    await this.#file.truncate(this.#bytes).catch(() => undefined);
    await this.#file.sync().catch(() => undefined);
  }
}
