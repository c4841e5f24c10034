export type Color = [red: number, green: number, blue: number];

/** @param hex such as `#0b6b57` */
export function parseColor(hex: string): Color {
  return [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16)) as Color;
}

/** The contrast ratio, from 1 to 21. See https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio. */
export function contrast(one: Color, other: Color): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param share of the second color, from 0 to 1 */
export function mixColors(one: Color, other: Color, share: number): Color {
  return one.map((part, index) =>
    Math.round(part * (1 - share) + (other[index] ?? 0) * share),
  ) as Color;
}
