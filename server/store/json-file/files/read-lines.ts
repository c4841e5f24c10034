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
 * Reads a line without parsing all of it. `text` is `bytes` as Latin-1, `end` the position of the line
 * feed.
 *
 * @returns undefined to have the line parsed
 */
export type ReadLine<T> = (
  text: string,
  bytes: Buffer,
  start: number,
  end: number,
) => T | undefined;

/**
 * Reads a file of checked lines in chunks, so that no file is too large. It blocks the event loop:
 * use it only before the server listens, or in a worker.
 *
 * A last line without its line feed counts as broken.
 *
 * @param end how many bytes of the file to read
 * @param readLine for intact lines that need not be parsed
 */
export function* readLines<T>(
  path: string,
  end = Number.POSITIVE_INFINITY,
  readLine?: ReadLine<T>,
): Generator<Lines<T>> {
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
      const lines = splitLines<T>(buffer, length, offset, firstNumber, readLine);
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
  readLine: ReadLine<T> | undefined,
): Lines<T> {
  const starts: number[] = [];
  const ends: number[] = [];
  const values: (T | undefined)[] = [];
  /** The indexes of the lines to parse. */
  const unread: number[] = [];
  const text = readLine ? bytes.toString('latin1', 0, length) : '';
  for (let start = 0; start < length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const isEnded = found !== -1 && found < length;
    const end = isEnded ? found : length;
    const intact = isEnded && isIntact(bytes, start, end);
    const value = intact ? readLine?.(text, bytes, start, end) : undefined;
    if (intact && value === undefined) unread.push(starts.length);
    values.push(value);
    starts.push(start);
    ends.push(end);
    start = end + 1;
  }
  const parsed = parseTogether<T>(
    unread.map((index) => bytes.toString('utf8', starts[index], ends[index])),
  );
  for (const [at, index] of unread.entries()) values[index] = parsed[at];
  return { bytes, starts, ends, values, offset, firstNumber };
}

/** Parses the lines as one array, which takes two thirds of the time. */
function parseTogether<T>(lines: string[]): T[] {
  return JSON.parse(`[${lines.join(',')}]`);
}
