import { drawQr, toPath } from './draw-qr.ts';

/** At least; each module is a whole number of pixels, so that every edge is sharp. */
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
  if (!context) throw new Error('There is no canvas to draw on.');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000000';
  for (const [row, column] of dark) context.fillRect(column * scale, row * scale, scale, scale);
  return canvas.convertToBlob({ type: 'image/png' });
}

/** Called after the link's ending: `launch-qr`. */
export function qrFileName(shortUrl: string): string {
  const ending = new URL(shortUrl).pathname.split('/').at(-1) ?? '';
  return /^[\w-]+$/.test(ending) ? `${ending}-qr` : 'qr';
}

/** Not every browser lets pages put pictures on the clipboard. */
export function canCopyPictures(): boolean {
  return (
    typeof ClipboardItem === 'function' &&
    typeof navigator.clipboard?.write === 'function' &&
    (ClipboardItem.supports?.('image/png') ?? true)
  );
}

/** @returns whether the picture is in the clipboard */
export async function copyPicture(png: Blob): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    return true;
  } catch {
    return false;
  }
}
