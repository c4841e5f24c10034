import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'puppeteer-core';

const DECODER_FILE = createRequire(import.meta.url).resolve('jsqr');

export type ReadQr = {
  /** The decoded text; undefined if there is no code. */
  text: string | undefined;
  side: number;
  /** Whether every pixel is black or white, which isn't the case for a scaled image. */
  isSharp: boolean;
};

/** Decodes an image with a QR code, in any page. */
export async function readQr(page: Page, picture: Buffer, type = 'image/png'): Promise<ReadQr> {
  // A CommonJS module, evaluated in the page, which has a canvas.
  const decoder = await readFile(DECODER_FILE, 'utf8');
  await page.evaluate(`(() => { const exports = {}; const module = { exports };
    ${decoder}
    globalThis.decodeQr = module.exports.default ?? module.exports; })()`);
  return page.evaluate(
    async (base64, mime) => {
      const image = new Image();
      image.src = `data:${mime};base64,${base64}`;
      await image.decode();
      // A vector image has the size that it is drawn at.
      const side = mime === 'image/png' ? image.naturalWidth : 400;
      const context = new OffscreenCanvas(side, side).getContext('2d');
      if (!context) throw new Error('No canvas.');
      context.drawImage(image, 0, 0, side, side);
      const { data } = context.getImageData(0, 0, side, side);
      const decode = (globalThis as unknown as { decodeQr: Decode }).decodeQr;
      return {
        text: decode(data, side, side)?.data,
        side,
        isSharp: data.every((value) => value === 0 || value === 255),
      };
      type Decode = (
        pixels: Uint8ClampedArray,
        width: number,
        height: number,
      ) => { data: string } | null;
    },
    picture.toString('base64'),
    type,
  );
}
