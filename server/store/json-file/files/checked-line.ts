import { crc32 } from 'node:zlib';

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

/** @param members the object's members, as JSON without the braces */
export function toLine(members: string): string {
  const checked = `{${members}`;
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
  // For so few bytes, a loop is faster than a native call.
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
