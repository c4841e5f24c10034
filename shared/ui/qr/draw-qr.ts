/** Side of a logo, as a part of the code's. The rest has enough redundancy for what it covers. */
const LOGO_PART = 0.2;

/** A QR code on a grid of modules, with its quiet zone. */
export type QrDrawing = {
  /** Modules per side, including the quiet zone. */
  side: number;
  /** Row and column of each dark module. */
  dark: [row: number, column: number][];
  /** The square in the center that is left to a logo. */
  logo?: { start: number; side: number };
};

type QrLayout = {
  /** Width of the light border in modules. @default 4 */
  margin?: number;
  /** Whether the center is left to a logo. @default false */
  hasLogo?: boolean;
};

/** Draws locally, without a server. @throws if the text is too long for a QR code */
export async function drawQr(
  text: string,
  { margin = DEFAULT_STYLE.margin, hasLogo = false }: QrLayout = {},
): Promise<QrDrawing> {
  // Loaded on demand: most pages never show one.
  const { create } = await import('qrcode');
  const { modules } = create(text, { errorCorrectionLevel: hasLogo ? 'H' : 'M' });
  // Odd, as the number of modules is: the logo is exactly in the center.
  const logoSide = hasLogo ? 2 * Math.floor((modules.size * LOGO_PART) / 2) + 1 : 0;
  const logoStart = (modules.size - logoSide) / 2;
  const isOfLogo = (index: number) => index >= logoStart && index < logoStart + logoSide;
  const dark: QrDrawing['dark'] = [];
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (isOfLogo(row) && isOfLogo(column)) continue;
      if (modules.get(row, column)) dark.push([row + margin, column + margin]);
    }
  }
  const side = modules.size + 2 * margin;
  return { side, dark, ...(hasLogo && { logo: { start: logoStart + margin, side: logoSide } }) };
}

/** Returns the dark modules as an SVG path, one unit per module. */
export function toPath({ dark }: QrDrawing): string {
  return dark.map(([row, column]) => `M${column} ${row}h1v1h-1z`).join('');
}

export type QrStyle = {
  /** The color of the dark modules, as `#rrggbb`. */
  color: string;
  /** Width of the light border in modules. */
  margin: number;
  /** Minimum width of the PNG in pixels. Each module is a whole number of pixels, so that edges are sharp. */
  size: number;
};

/** The standard requires four modules. Scanners also read two, on a light page. */
export const QR_MARGINS = { narrow: 2, standard: 4, wide: 8 } as const;
export const QR_SIZES = [512, 1024, 2048] as const;
export const DEFAULT_STYLE: QrStyle = { color: '#000000', margin: QR_MARGINS.standard, size: 1024 };

/** As for text in WCAG 2.2, which is more than scanners need: a dark logo beside it takes some of it away. */
const MIN_CONTRAST = 4.5;

/** Whether scanners tell a color from white, also beside a logo. */
export function isReadableColor(color: string): boolean {
  return 1.05 / (luminanceOf(color) + 0.05) >= MIN_CONTRAST;
}

/** Relative luminance, as in WCAG 2.2: 0 for black, 1 for white. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Space around a logo, in modules. */
const LOGO_PADDING = 0.5;

/** What to draw: a text, how it looks, and the logo in its center, if any. */
type QrPicture = { text: string; style: QrStyle; logo: HTMLCanvasElement | undefined };

export async function qrAsSvg(picture: QrPicture): Promise<Blob> {
  const drawing = await draw(picture);
  const { side } = drawing;
  const { style, logo } = picture;
  const { start, inner } = logoPlace(drawing);
  const image = logo
    ? `<image xlink:href="${logo.toDataURL()}" x="${start}" y="${start}" width="${inner}" height="${inner}"/>`
    : '';
  // Word and Inkscape need a size, Illustrator needs XLink.
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${style.size}" height="${style.size}" viewBox="0 0 ${side} ${side}"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="${style.color}" shape-rendering="crispEdges" d="${toPath(drawing)}"/>${image}</svg>\n`;
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

/** Returns the square of a logo, without the space around it. */
export function logoPlace({ logo = { start: 0, side: 0 } }: QrDrawing) {
  return { start: logo.start + LOGO_PADDING, inner: logo.side - 2 * LOGO_PADDING };
}

/** Names a file after the link's alias: `launch-qr`. */
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
