import { crc32 } from 'node:zlib';

/**
 * The line that every file of the folder is made of: one JSON object, whose last member is the
 * CRC-32 of all that stands before it. `jq` reads it, and a flipped bit shows.
 *
 *     {"batch":96,"link":{…},"crc":"1a2b3c4d"}
 */
const CHECKSUM_START = ',"crc":"';
const CHECKSUM_END = '"}';
const HEX_DIGITS = 8;
const CHECKSUM_BYTES = CHECKSUM_START.length + HEX_DIGITS + CHECKSUM_END.length;
/** What a line needs beside its members: braces, checksum, line feed. */
export const LINE_OVERHEAD_BYTES = 1 + CHECKSUM_BYTES + 1;

/** @param members of the line's object, as JSON without the braces */
export function toLine(members: string): string {
  const checked = `{${members}`;
  const checksum = crc32(checked).toString(16).padStart(HEX_DIGITS, '0');
  return `${checked}${CHECKSUM_START}${checksum}${CHECKSUM_END}\n`;
}

/** Where the line's members end, for a line whose line feed stands at `end`. */
export function membersEnd(end: number): number {
  return end - CHECKSUM_BYTES;
}

/** Whether `bytes` holds, from `start` to `end` (the line feed's place), a line as it was written. */
export function isWhole(bytes: Buffer, start: number, end: number): boolean {
  const checkedEnd = membersEnd(end);
  const hexStart = checkedEnd + CHECKSUM_START.length;
  const hexEnd = hexStart + HEX_DIGITS;
  return (
    checkedEnd > start &&
    holds(bytes, checkedEnd, CHECKSUM_START) &&
    holds(bytes, hexEnd, CHECKSUM_END) &&
    crc32(bytes.subarray(start, checkedEnd)) === readHex(bytes, hexStart, hexEnd)
  );
}

/** @param expected ASCII */
function holds(bytes: Buffer, at: number, expected: string): boolean {
  // A loop: for so few bytes, a call into the engine takes longer.
  for (let index = 0; index < expected.length; index++) {
    if (bytes[at + index] !== expected.charCodeAt(index)) return false;
  }
  return true;
}

/** @returns NaN for anything but lowercase digits: `toLine` writes no others */
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
