import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';

const LINE_FEED = Buffer.from('\n');

/** What a crash left of an incomplete batch, from its first broken line on. */
export class TornTail {
  /** Where the first broken line begins in the file. */
  readonly offset: number;
  /** Where the broken lines are. */
  readonly brokenLines: { line: number; byte: number }[] = [];
  readonly #broken: Buffer[] = [];
  readonly #intact: Buffer[] = [];

  constructor(offset: number) {
    this.offset = offset;
  }

  /** @param number of the line in the file @param byte where it begins */
  addBroken(line: Buffer, number: number, byte: number): void {
    this.brokenLines.push({ line: number, byte });
    this.#broken.push(Buffer.concat([line, LINE_FEED]));
  }

  addIntact(line: Buffer): void {
    this.#intact.push(Buffer.concat([line, LINE_FEED]));
  }

  /** The length of the journal without the broken lines. */
  bytesLeft(): number {
    return this.offset + this.#intact.reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Moves the broken lines to `journal.torn`. The intact ones move up. Their `batch` member is still
   * valid: it is the position of the first broken line or before it.
   *
   * @returns a sentence on what was moved
   */
  quarantine(folder: string, journal: string): string {
    const tornPath = join(folder, 'journal.torn');
    rewrite(tornPath, 'a', null, this.#broken);
    rewrite(journal, 'r+', this.offset, this.#intact);
    const count = this.#broken.length;
    return (
      `${basename(journal)} ends with an incomplete batch after a crash. It was never acknowledged: ` +
      `${count} broken ${count === 1 ? 'line was' : 'lines were'} moved to ${tornPath}.`
    );
  }
}

function rewrite(path: string, flags: string, offset: number | null, lines: Buffer[]): void {
  const file = openSync(path, flags, 0o600);
  try {
    if (offset !== null) ftruncateSync(file, offset);
    const bytes = Buffer.concat(lines);
    for (let written = 0; written < bytes.length; ) {
      const position = offset === null ? null : offset + written;
      written += writeSync(file, bytes, written, bytes.length - written, position);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
