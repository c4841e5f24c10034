import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** One bit per pixel, grayscale; standard compression and filters, not interlaced. */
const FORMAT = [1, 0, 0, 0, 0];

/**
 * Encodes a square PNG of black and white squares. At one bit per pixel, it compresses 1/32 of the
 * data that a general RGBA encoder would.
 *
 * @param size squares per side
 * @param scale pixels per side of a square
 * @param isBlack called once for each square
 * Source: W3C, "Portable Network Graphics (PNG) Specification".
 */
export function oneBitPng(
  size: number,
  scale: number,
  isBlack: (x: number, y: number) => boolean,
): Buffer {
  const side = size * scale;
  // Each row begins with its filter type: 0 (none).
  const rowBytes = 1 + Math.ceil(side / 8);
  const rows: Buffer[] = [];
  for (let y = 0; y < size; y++) {
    const row = Buffer.alloc(rowBytes);
    for (let x = 0; x < size; x++) {
      if (!isBlack(x, y)) setBits(row.subarray(1), x * scale, scale);
    }
    for (let copy = 0; copy < scale; copy++) rows.push(row);
  }
  const header = Buffer.alloc(8);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([header, Buffer.from(FORMAT)])),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function setBits(bytes: Buffer, from: number, count: number): void {
  for (let bit = from; bit < from + count; bit++) {
    const at = bit >> 3;
    bytes[at] = (bytes[at] ?? 0) | (0x80 >> (bit & 7));
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
