import { DEFAULT_STYLE } from './qr-style.ts';

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

export type QrLayout = {
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

/** The dark modules as an SVG path, one unit per module. */
export function toPath({ dark }: QrDrawing): string {
  return dark.map(([row, column]) => `M${column} ${row}h1v1h-1z`).join('');
}
