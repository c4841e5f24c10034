import { drawQr, toPath } from './draw-qr.ts';

/** Minimum width. Each module is a whole number of pixels, so that edges are sharp. */
const PNG_MIN_PIXELS = 1024;

export async function qrAsSvg(text: string): Promise<Blob> {
  const drawing = await drawQr(text);
  const { side } = drawing;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${toPath(drawing)}"/></svg>\n`;
  return new Blob([svg], { type: 'image/svg+xml' });
}

export async function qrAsPng(text: string): Promise<Blob> {
  const { side, dark } = await drawQr(text);
  const scale = Math.ceil(PNG_MIN_PIXELS / side);
  const canvas = new OffscreenCanvas(side * scale, side * scale);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('OffscreenCanvas has no 2d context.');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000000';
  for (const [row, column] of dark) context.fillRect(column * scale, row * scale, scale, scale);
  return canvas.convertToBlob({ type: 'image/png' });
}

/** Named after the link's alias: `launch-qr`. */
export function qrFileName(shortUrl: string): string {
  const alias = new URL(shortUrl).pathname.split('/').at(-1) ?? '';
  return /^[\w-]+$/.test(alias) ? `${alias}-qr` : 'qr';
}

/** Not every browser supports writing images to the clipboard. */
export function canCopyImages(): boolean {
  return (
    typeof ClipboardItem === 'function' &&
    typeof navigator.clipboard?.write === 'function' &&
    (ClipboardItem.supports?.('image/png') ?? true)
  );
}

/** @returns whether the image was copied */
export async function copyImage(png: Blob): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    return true;
  } catch {
    return false;
  }
}
