import { drawQr, type QrDrawing, toPath } from './draw-qr.ts';
import type { QrStyle } from './qr-style.ts';

/** Space around a logo, in modules. */
const LOGO_PADDING = 0.5;

/** What to draw: a text, how it looks, and the logo in its center, if any. */
export type QrPicture = { text: string; style: QrStyle; logo: HTMLCanvasElement | undefined };

export async function qrAsSvg(picture: QrPicture): Promise<Blob> {
  const drawing = await draw(picture);
  const { side } = drawing;
  const { style, logo } = picture;
  const { start, inner } = logoPlace(drawing);
  const image = logo
    ? `<image href="${logo.toDataURL()}" x="${start}" y="${start}" width="${inner}" height="${inner}"/>`
    : '';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="${style.color}" shape-rendering="crispEdges" d="${toPath(drawing)}"/>${image}</svg>\n`;
  return new Blob([svg], { type: 'image/svg+xml' });
}

export async function qrAsPng(picture: QrPicture): Promise<Blob> {
  const drawing = await draw(picture);
  const { side, dark } = drawing;
  const { style, logo } = picture;
  const scale = Math.ceil(style.size / side);
  const canvas = new OffscreenCanvas(side * scale, side * scale);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('OffscreenCanvas has no 2d context.');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = style.color;
  for (const [row, column] of dark) context.fillRect(column * scale, row * scale, scale, scale);
  const { start, inner } = logoPlace(drawing);
  if (logo) context.drawImage(logo, start * scale, start * scale, inner * scale, inner * scale);
  return canvas.convertToBlob({ type: 'image/png' });
}

function draw({ text, style: { margin }, logo }: QrPicture): Promise<QrDrawing> {
  return drawQr(text, { margin, hasLogo: logo !== undefined });
}

/** The square of a logo, without the space around it. */
export function logoPlace({ logo = { start: 0, side: 0 } }: QrDrawing) {
  return { start: logo.start + LOGO_PADDING, inner: logo.side - 2 * LOGO_PADDING };
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
