/** Width of the light border in modules. The QR code standard requires four. */
const QUIET_MODULES = 4;

/** A QR code on a grid of modules, with its quiet zone. */
export type QrDrawing = {
  /** Modules per side, including the quiet zone. */
  side: number;
  /** Row and column of each dark module. */
  dark: [row: number, column: number][];
};

/** Draws locally, without a server. @throws if the text is too long for a QR code */
export async function drawQr(text: string): Promise<QrDrawing> {
  // Loaded on demand: most pages never show one.
  const { create } = await import('qrcode');
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const dark: QrDrawing['dark'] = [];
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) dark.push([row + QUIET_MODULES, column + QUIET_MODULES]);
    }
  }
  return { side: modules.size + 2 * QUIET_MODULES, dark };
}

/** The dark modules as an SVG path, one unit per module. */
export function toPath({ dark }: QrDrawing): string {
  return dark.map(([row, column]) => `M${column} ${row}h1v1h-1z`).join('');
}
