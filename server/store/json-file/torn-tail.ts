import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';

const LINE_FEED = Buffer.from('\n');

/** What a crash left of the batch that was being written, from its first broken line on. */
export class TornTail {
  /** Where the first broken line begins in the file. */
  readonly offset: number;
  readonly lineNumber: number;
  readonly #broken: Buffer[] = [];
  readonly #whole: Buffer[] = [];

  constructor(offset: number, lineNumber: number) {
    this.offset = offset;
    this.lineNumber = lineNumber;
  }

  addBroken(line: Buffer): void {
    this.#broken.push(Buffer.concat([line, LINE_FEED]));
  }

  addWhole(line: Buffer): void {
    this.#whole.push(Buffer.concat([line, LINE_FEED]));
  }

  /** How long the journal is without the broken lines. */
  bytesLeft(): number {
    return this.offset + this.#whole.reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Moves the broken lines to `journal.torn`. The whole ones close up: they still say where their
   * batch began, which is at the first broken line or before.
   *
   * @returns a sentence on what was done
   */
  putAside(folder: string, journal: string): string {
    const tornPath = join(folder, 'journal.torn');
    rewrite(tornPath, 'a', null, this.#broken);
    rewrite(journal, 'r+', this.offset, this.#whole);
    const count = this.#broken.length;
    return (
      `${basename(journal)} ends in a batch that was never acknowledged, as a crash leaves it: ` +
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
