import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Line } from '../files/line-file.ts';

const LINE_FEED = Buffer.from('\n');

/** What a crash left of an incomplete batch, from its first broken line on. */
export class TornTail {
  /** The path of the journal. */
  readonly path: string;
  readonly #lines: Line<unknown>[] = [];

  constructor(path: string) {
    this.path = path;
  }

  add(line: Line<unknown>): void {
    this.#lines.push(line);
  }

  /** Where the first broken line begins in the file. */
  get start(): number {
    return this.#lines[0]?.start ?? 0;
  }

  get broken(): Line<unknown>[] {
    return this.#lines.filter(({ value }) => value === undefined);
  }

  /**
   * Moves the broken lines to `journal.torn`. The intact ones move up. Their `batch` member is still
   * valid: it is the position of the first broken line or before it.
   *
   * @returns how long the journal is then, and a sentence on what was moved
   */
  quarantine(folder: string): { bytes: number; message: string } {
    const tornPath = join(folder, 'journal.torn');
    const intact = textOf(this.#lines.filter(({ value }) => value !== undefined));
    rewrite(tornPath, 'a', null, textOf(this.broken));
    rewrite(this.path, 'r+', this.start, intact);
    const count = this.broken.length;
    const message =
      `${basename(this.path)} ends with an incomplete batch after a crash. It was never acknowledged: ` +
      `${count} broken ${count === 1 ? 'line was' : 'lines were'} moved to ${tornPath}.`;
    return { bytes: this.start + intact.length, message };
  }
}

function textOf(lines: Line<unknown>[]): Buffer {
  return Buffer.concat(lines.flatMap(({ bytes }) => [bytes, LINE_FEED]));
}

/** @param offset from where on it is replaced; null to append */
function rewrite(path: string, flags: string, offset: number | null, bytes: Buffer): void {
  const file = openSync(path, flags, 0o600);
  try {
    if (offset !== null) ftruncateSync(file, offset);
    for (let written = 0; written < bytes.length; ) {
      const position = offset === null ? null : offset + written;
      written += writeSync(file, bytes, written, bytes.length - written, position);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
