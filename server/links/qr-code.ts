import QRCode from 'qrcode';
import { oneBitPng } from './one-bit-png.ts';

/** A quiet zone of four modules, as the standard asks. */
const MARGIN_MODULES = 4;
const OPTIONS = { margin: MARGIN_MODULES, errorCorrectionLevel: 'M' } as const;
/** Enough to print well. Whole pixels for each module keep it sharp, so the side may be longer. */
const PNG_MIN_SIDE_PIXELS = 512;

export function qrSvg(text: string): Promise<string> {
  return QRCode.toString(text, { ...OPTIONS, type: 'svg' });
}

/** About 1 ms of the event loop; the encoder of `qrcode`, which draws in RGBA, takes some 40 ms. */
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
