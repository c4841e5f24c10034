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
