import { statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { DurationHistogram } from '../../../lib/duration-histogram.ts';
import { headerLine, journalPath } from '../files/generations.ts';
import { toLine } from '../files/line-file.ts';
import { createDurably, type OpenFile } from '../files/small-files.ts';
import type { JournalExtent } from '../loading/load-folder.ts';

type Options = {
  folder: string;
  openFile: OpenFile;
  /** Counts how long syncs of changes take. */
  syncs: DurationHistogram;
};

/** A generation that is written. `bytes` is the length of the file that is on disk. */
type Current = JournalExtent & { file: FileHandle; inode: number };

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

  /** Opens the last journal or creates the first one. */
  static async open(last: JournalExtent | undefined, options: Options): Promise<Journal> {
    if (!last) return new Journal(options, await create(options, 1, 0));
    const file = await options.openFile(pathOf(options, last), 'r+', 0o600);
    return new Journal(options, { ...last, file, inode: (await file.stat()).ino });
  }

  get generation(): number {
    return this.#current.generation;
  }

  /**
   * Resolves once the lines are on disk, as one batch.
   *
   * @param lines each line's members
   * @returns how many bytes they take
   */
  async append(lines: string[]): Promise<number> {
    if (this.#isSealed) await this.beginNext();
    const { bytes: start } = this.#current;
    const batch = Buffer.from(lines.map((line) => toLine(`"batch":${start},${line}`)).join(''));
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
    const start = performance.now();
    await this.#current.file.datasync();
    this.#options.syncs.record(performance.now() - start);
  }

  /**
   * Checks that the file still has its path: writes to a moved or removed folder succeed but would be
   * lost. Synchronous, because the thread pool would take thirty times as long.
   */
  #checkPlace(): void {
    const path = pathOf(this.#options, this.#current);
    if (statSync(path).ino !== this.#current.inode) {
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
  const header = headerLine('journal', generation, previousBytes);
  const file = await createDurably(pathOf(options, { generation }), header, options.openFile);
  const { ino: inode } = await file.stat();
  return { generation, bytes: Buffer.byteLength(header), file, inode };
}

function pathOf({ folder }: Options, { generation }: Pick<JournalExtent, 'generation'>): string {
  return journalPath(folder, generation);
}
