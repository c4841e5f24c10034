import { closeSync, openSync, readSync } from 'node:fs';
import { isIntact } from './checked-line.ts';

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/** Lines that were read together. They are overwritten when the next ones are read. */
export type Lines<T> = {
  bytes: Buffer;
  /** Where each line begins in `bytes`. `ends` has the positions of the line feeds. */
  starts: number[];
  ends: number[];
  /** The content of each line; undefined for a broken one. */
  values: (T | undefined)[];
  /** Where `bytes` begins in the file. */
  offset: number;
  /** The first line's number in the file, from 1. */
  firstNumber: number;
};

/**
 * Reads a file of checked lines in chunks, so that no file is too large. It blocks the event loop:
 * use it only before the server listens, or in a worker.
 *
 * A last line without its line feed counts as broken.
 *
 * @param end how many bytes of the file to read
 */
export function* readLines<T>(path: string, end = Number.POSITIVE_INFINITY): Generator<Lines<T>> {
  const file = openSync(path, 'r');
  try {
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let [filled, offset, firstNumber] = [0, 0, 1];
    for (;;) {
      // A line longer than the buffer.
      if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
      const wanted = Math.min(buffer.length - filled, end - offset - filled);
      const read = wanted > 0 ? readSync(file, buffer, filled, wanted, null) : 0;
      filled += read;
      if (filled === 0) return;
      const lastLineFeed = buffer.subarray(0, filled).lastIndexOf(LINE_FEED);
      if (lastLineFeed === -1 && read > 0) continue;
      // At the end of the file, the rest is a line without a line feed.
      const length = lastLineFeed === -1 ? filled : lastLineFeed + 1;
      const lines = splitLines<T>(buffer, length, offset, firstNumber);
      yield lines;
      firstNumber += lines.starts.length;
      offset += length;
      buffer.copy(buffer, 0, length, filled);
      filled -= length;
    }
  } finally {
    closeSync(file);
  }
}

function splitLines<T>(
  bytes: Buffer,
  length: number,
  offset: number,
  firstNumber: number,
): Lines<T> {
  const starts: number[] = [];
  const ends: number[] = [];
  const texts: (string | undefined)[] = [];
  for (let start = 0; start < length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const isEnded = found !== -1 && found < length;
    const end = isEnded ? found : length;
    texts.push(
      isEnded && isIntact(bytes, start, end) ? bytes.toString('utf8', start, end) : undefined,
    );
    starts.push(start);
    ends.push(end);
    start = end + 1;
  }
  // A broken line has no value.
  const parsed = parseTogether<T>(texts.filter((text) => text !== undefined)).values();
  const values = texts.map((text) => (text === undefined ? undefined : parsed.next().value));
  return { bytes, starts, ends, values, offset, firstNumber };
}

/** Parses the lines as one array, which takes two thirds of the time. */
function parseTogether<T>(lines: string[]): T[] {
  return JSON.parse(`[${lines.join(',')}]`);
}
