import { readShippedFile } from '../../lib/shipped-files.ts';
import { BrandError } from './brand-error.ts';
import { type Color, contrast, mixColors, parseColor } from './contrast.ts';

/** Text: WCAG 2.2, 1.4.3. */
const TEXT_MIN_RATIO = 4.5;
/** Buttons, focus rings and the countdown on the page: WCAG 2.2, 1.4.11. */
const SHAPE_MIN_RATIO = 3;
/** What the pages of `server/web/views/` show the color on. */
const GROUNDS = ['surface', 'ground'];
/** What the dashboard shows text in the color on. */
const TEXT_GROUNDS = [...GROUNDS, 'raised'];
const BLACK = '#000000';
const WHITE = '#ffffff';
/** How much darker or lighter a button gets under the pointer. */
const HOVER_SHARE = 0.2;
/** How much of white is added at a time. */
const LIGHTER_SHARE = 0.05;

type Scheme = 'light' | 'dark';

/**
 * The style sheet that makes a color the accent of all pages, after `shared/tokens.css`.
 *
 * @param colors as `#rrggbb`: one, from which the color for dark pages is derived, or one for light and one for dark
 * @throws BrandError a color has too little contrast, with the ratio
 */
export function brandStyles(colors: readonly string[]): string {
  const [light = '', dark = lightenForDark(light)] = colors;
  // Forced colors have none of the page's own.
  return [
    `@media (forced-colors: none) {\n  :root {\n${declarations(light, 'light')}\n  }\n}`,
    `@media (forced-colors: none) and (prefers-color-scheme: dark) {\n  :root {\n${declarations(dark, 'dark')}\n  }\n}`,
    '',
  ].join('\n');
}

/** The color, or a lighter one if it has too little contrast with dark pages. */
function lightenForDark(hex: string): string {
  const grounds = GROUNDS.map((name) => parseColor(backgroundsOf('dark')[name] ?? BLACK));
  const hasContrast = (color: Color, ratio: number) =>
    grounds.every((ground) => contrast(ground, color) >= ratio);
  let color = parseColor(hex);
  if (hasContrast(color, SHAPE_MIN_RATIO)) return hex;
  for (let share = LIGHTER_SHARE; !hasContrast(color, TEXT_MIN_RATIO); share += LIGHTER_SHARE) {
    color = mixColors(parseColor(hex), parseColor(WHITE), share);
  }
  return toHex(color);
}

function declarations(hex: string, scheme: Scheme): string {
  const color = parseColor(hex);
  const backgrounds = backgroundsOf(scheme);
  for (const background of GROUNDS.map((name) => backgrounds[name] ?? WHITE)) {
    assertContrast(hex, background, SHAPE_MIN_RATIO, `the ${scheme} background ${background}`);
  }
  const [onAccent = WHITE] = [WHITE, BLACK].sort(
    (one, other) => contrast(parseColor(other), color) - contrast(parseColor(one), color),
  );
  assertContrast(hex, onAccent, TEXT_MIN_RATIO, `the text ${onAccent} on buttons`);
  // Away from the text's color, so that it stays readable.
  const away = onAccent === WHITE ? BLACK : WHITE;
  const strong = toHex(mixColors(color, parseColor(away), HOVER_SHARE));
  const isReadable = TEXT_GROUNDS.every(
    (name) => contrast(parseColor(backgrounds[name] ?? WHITE), color) >= TEXT_MIN_RATIO,
  );
  return [
    `    --color-accent: ${hex};`,
    `    --color-link: ${isReadable ? hex : 'var(--color-text)'};`,
    `    --color-accent-strong: ${strong};`,
    `    --color-on-accent: ${onAccent};`,
  ].join('\n');
}

function assertContrast(hex: string, other: string, minRatio: number, what: string): void {
  const ratio = contrast(parseColor(hex), parseColor(other));
  if (ratio >= minRatio) return;
  // Rounded down: 2.999 must not be shown as 3.
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
  throw new BrandError(
    `${hex} has a contrast of ${shown}:1 with ${what}, and needs at least ${minRatio}:1. Choose another color, or one for light and one for dark pages, such as #0b6b57,#6fd6b8.`,
  );
}

/** The colors of `shared/tokens.css` by name, without `--color-`. */
function backgroundsOf(scheme: Scheme): Record<string, string> {
  const [light = '', dark = ''] = readShippedFile('shared/tokens.css').toString().split('@media');
  const css = scheme === 'light' ? light : dark;
  return Object.fromEntries(
    [...css.matchAll(/--color-([\w-]+): (#[\da-f]{6});/g)].map(([, name, value]) => [name, value]),
  );
}

function toHex(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
