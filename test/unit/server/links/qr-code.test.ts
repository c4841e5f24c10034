import { inflateSync } from 'node:zlib';
import decode from 'jsqr';
import { expect, test } from 'vitest';
import { qrPng } from '../../../../server/links/qr-code.ts';

/** Its data begins after the signature, the header and its own length and type. */
const DATA_START = 8 + 25 + 8;

/** Reads a square PNG of one bit per pixel, in grayscale, without filters or interlacing. */
function readPng(png: Buffer) {
  expect([...png.subarray(24, 29)]).toEqual([1, 0, 0, 0, 0]);
  const side = png.readUInt32BE(16);
  const length = png.readUInt32BE(DATA_START - 8);
  const rows = inflateSync(png.subarray(DATA_START, DATA_START + length));
  const rowBytes = 1 + Math.ceil(side / 8);
  const isBlack = (x: number, y: number) =>
    ((rows[y * rowBytes + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) === 0;
  return { side, isBlack };
}

test('a PNG of a QR code can be scanned, and has a white margin of four modules', () => {
  const text = 'https://s.example/sale';
  const { side, isBlack } = readPng(qrPng(text));
  const pixels = new Uint8ClampedArray(4 * side * side);
  const black = { x: new Set<number>(), y: new Set<number>() };
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const value = isBlack(x, y) ? 0 : 255;
      pixels.set([value, value, value, 255], 4 * (y * side + x));
      if (value > 0) continue;
      black.x.add(x);
      black.y.add(y);
    }
  }
  expect(decode(pixels, side, side)?.data).toBe(text);
  // A module has 16 pixels, and 25 of them are a side of the code.
  for (const places of [black.x, black.y]) {
    expect([Math.min(...places), Math.max(...places)]).toEqual([4 * 16, 29 * 16 - 1]);
  }
  expect(side).toBe(33 * 16);
});
