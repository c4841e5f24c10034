import { crc32, deflateSync } from 'node:zlib';
import QRCode from 'qrcode';

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

/** A quiet zone of four modules, as the standard requires. */
const MARGIN_MODULES = 4;
const OPTIONS = { margin: MARGIN_MODULES, errorCorrectionLevel: 'M' } as const;
/** Large enough to print. Modules are whole pixels to stay sharp, so the image may be larger. */
const MIN_SIDE_PIXELS = 512;

/** Word and Inkscape need a width and a height. */
export function qrSvg(text: string): Promise<string> {
  return QRCode.toString(text, { ...OPTIONS, type: 'svg', width: MIN_SIDE_PIXELS });
}

/** Blocks the event loop for about 1 ms; the RGBA encoder of `qrcode` takes about 40 ms. */
export function qrPng(text: string): Buffer {
  const { size, data } = QRCode.create(text, OPTIONS).modules;
  const modules = size + 2 * MARGIN_MODULES;
  const scale = Math.ceil(MIN_SIDE_PIXELS / modules);
  return oneBitPng(modules, scale, (x, y) => {
    const [column, row] = [x - MARGIN_MODULES, y - MARGIN_MODULES];
    const isInside = column >= 0 && column < size && row >= 0 && row < size;
    return isInside && data[row * size + column] === 1;
  });
}

/** @returns `data:image/png;base64,…` */
export function qrDataUrl(text: string): string {
  return `data:image/png;base64,${qrPng(text).toString('base64')}`;
}
