import QRCode from 'qrcode';
import { oneBitPng } from './one-bit-png.ts';

/** A quiet zone of four modules, as the standard requires. */
const MARGIN_MODULES = 4;
const OPTIONS = { margin: MARGIN_MODULES, errorCorrectionLevel: 'M' } as const;
/** Large enough to print. Modules are whole pixels to stay sharp, so the image may be larger. */
const PNG_MIN_SIDE_PIXELS = 512;

export function qrSvg(text: string): Promise<string> {
  return QRCode.toString(text, { ...OPTIONS, type: 'svg' });
}

/** Blocks the event loop for about 1 ms; the RGBA encoder of `qrcode` takes about 40 ms. */
export function qrPng(text: string): Buffer {
  const { size, data } = QRCode.create(text, OPTIONS).modules;
  const modules = size + 2 * MARGIN_MODULES;
  const scale = Math.ceil(PNG_MIN_SIDE_PIXELS / modules);
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
