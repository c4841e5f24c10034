import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/** A line of a file. Its format is that of `toLine`. */
export type Line<T> = {
  /** Counted from 1; NaN if the file was read from its end. */
  number: number;
  /** Where it begins in the file. */
  start: number;
  /** Where the next line begins. */
  end: number;
  /** The line without its line feed. */
  bytes: Buffer;
  /** Whether it has a line feed: the last one of a file may not, and is broken then. */
  isEnded: boolean;
  /** Its content; undefined if it is broken. */
  value: T | undefined;
};

/**
 * An open file of checked lines. It can be read as long as it is open, even if it is removed. Reading blocks
 * the event loop: use it only before the server listens, or in a command.
 */
export class LineFile {
  readonly path: string;
  readonly #file: number;

  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, 'r');
  }

  /** @returns undefined if there is no such file */
  static openIfExists(path: string): LineFile | undefined {
    try {
      return new LineFile(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return undefined;
    }
  }

  get name(): string {
    return basename(this.path);
  }

  get bytes(): number {
    return fstatSync(this.#file).size;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** @param end how many bytes of the file to read */
  *lines<T>(end = Number.POSITIVE_INFINITY): Generator<Line<T>> {
    let [number, offset] = [1, 0];
    /** The beginning of a line whose end is not read yet. */
    let rest: Buffer = Buffer.of();
    for (;;) {
      // So that a long line is not copied for each chunk of it.
      const size = Math.max(CHUNK_BYTES, rest.length);
      const position = offset + rest.length;
      const bytes = this.read(position, Math.min(size, end - position), rest);
      if (bytes.length === 0) return;
      const isAtEnd = bytes.length === rest.length;
      const length = isAtEnd ? bytes.length : bytes.lastIndexOf(LINE_FEED) + 1;
      for (const line of parseLines<T>(bytes.subarray(0, length), number, offset)) {
        number++;
        yield line;
      }
      offset += length;
      rest = bytes.subarray(length);
    }
  }

  /**
   * Reads the lines before a position, the last one first, in parts: a part has at least one whole line.
   *
   * @param end where a line begins, or the end of the file
   */
  *lastLines<T>(end: number): Generator<Line<T>> {
    let size = CHUNK_BYTES;
    while (end > 0) {
      const start = Math.max(0, end - size);
      const bytes = this.read(start, end - start);
      // The first line of a part may have begun before it.
      const from = start === 0 ? 0 : bytes.indexOf(LINE_FEED, 0) + 1;
      if (from === 0 && start > 0) {
        size *= 2;
        continue;
      }
      const lines = parseLines<T>(bytes.subarray(from), Number.NaN, start + from);
      if (lines.length === 0) {
        size *= 2;
        continue;
      }
      yield* lines.reverse();
      end = start + from;
      size = CHUNK_BYTES;
    }
  }

  isLineStart(position: number): boolean {
    if (!Number.isInteger(position) || position <= 0 || position >= this.bytes) return false;
    return this.read(position - 1, 1)[0] === LINE_FEED;
  }

  /** @returns `before`, and then the bytes of the file: less than `length` only at its end */
  read(position: number, length: number, before: Buffer = Buffer.of()): Buffer {
    const bytes = Buffer.allocUnsafe(before.length + length);
    let filled = before.copy(bytes);
    for (let read = -1; read !== 0 && filled < bytes.length; filled += read) {
      const at = position + filled - before.length;
      read = readSync(this.#file, bytes, filled, bytes.length - filled, at);
    }
    return bytes.subarray(0, filled);
  }
}

/** @param number of the first line @param offset where `bytes` begin in the file */
function parseLines<T>(bytes: Buffer, number: number, offset: number): Line<T>[] {
  const lines: Line<T>[] = [];
  const intact: Line<T>[] = [];
  const texts: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const isEnded = lineFeed !== -1;
    const end = isEnded ? lineFeed : bytes.length;
    const line: Line<T> = {
      number: number + lines.length,
      start: offset + start,
      end: offset + end + (isEnded ? 1 : 0),
      bytes: bytes.subarray(start, end),
      isEnded,
      value: undefined,
    };
    lines.push(line);
    if (isEnded && isIntact(bytes, start, end)) {
      intact.push(line);
      texts.push(bytes.toString('utf8', start, end));
    }
    start = end + 1;
  }
  // Parsing them as one array takes two thirds of the time.
  const values: T[] = JSON.parse(`[${texts.join(',')}]`);
  for (const [index, line] of intact.entries()) line.value = values[index];
  return lines;
}

/**
 * The line format of all data files: one JSON object per line, whose last member is the CRC-32 of
 * everything before it. `jq` can read it, and a flipped bit is detected.
 *
 *     {"batch":96,"records":[["link","yuwL3dWsfxQotmv2",{…}]],"crc":"1a2b3c4d"}
 *
 * @see docs/storage.md, "Data folder"
 */
const CHECKSUM_START = ',"crc":"';
const CHECKSUM_END = '"}';
const HEX_DIGITS = 8;
const CHECKSUM_BYTES = CHECKSUM_START.length + HEX_DIGITS + CHECKSUM_END.length;

export function toLine(content: object): string {
  const checked = JSON.stringify(content).slice(0, -1);
  const checksum = crc32(checked).toString(16).padStart(HEX_DIGITS, '0');
  return `${checked}${CHECKSUM_START}${checksum}${CHECKSUM_END}\n`;
}

/** Whether the line from `start` to `end` (the position of its line feed) is intact. */
export function isIntact(bytes: Buffer, start: number, end: number): boolean {
  const checkedEnd = end - CHECKSUM_BYTES;
  const hexStart = checkedEnd + CHECKSUM_START.length;
  const hexEnd = hexStart + HEX_DIGITS;
  return (
    checkedEnd > start &&
    hasTextAt(bytes, checkedEnd, CHECKSUM_START) &&
    hasTextAt(bytes, hexEnd, CHECKSUM_END) &&
    crc32(bytes.subarray(start, checkedEnd)) === readHex(bytes, hexStart, hexEnd)
  );
}

/** @param expected ASCII */
function hasTextAt(bytes: Buffer, at: number, expected: string): boolean {
  for (let index = 0; index < expected.length; index++) {
    if (bytes[at + index] !== expected.charCodeAt(index)) return false;
  }
  return true;
}

/** @returns NaN unless all digits are lowercase, as `toLine` writes them */
function readHex(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    const isDigit = byte >= 0x30 && byte <= 0x39;
    if (!isDigit && (byte < 0x61 || byte > 0x66)) return Number.NaN;
    value = value * 16 + (isDigit ? byte - 0x30 : byte - 0x57);
  }
  return value;
}
