import { readFileSync, statSync } from 'node:fs';
import type { Settings } from '../config.ts';
import { SettingsError } from '../lib/settings.ts';
import { readShippedFile } from '../lib/shipped-files.ts';
import type { DomainBrand } from '../store/stored-domains.ts';

const MAX_KIB = 256;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/**
 * What may be before the root element: white space with a byte order mark, an XML declaration, comments and a
 * document type. One at a time, since a pattern of all of them could take forever.
 */
const BEFORE_SVG = /[\s\uFEFF]+|<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*>/iy;
const SVG_START = /<svg[\s>]/iy;

export type BrandLogo = { content: Buffer; type: 'image/svg+xml' | 'image/png' };

/** What kind of picture it is, its content decides. @throws BrandError it is neither SVG nor PNG */
export function toBrandLogo(content: Buffer): BrandLogo {
  if (content.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) {
    return { content, type: 'image/png' };
  }
  if (isSvg(content.toString())) return { content, type: 'image/svg+xml' };
  throw new BrandError('This is neither an SVG nor a PNG picture.');
}

function isSvg(text: string): boolean {
  BEFORE_SVG.lastIndex = 0;
  do SVG_START.lastIndex = BEFORE_SVG.lastIndex;
  while (BEFORE_SVG.test(text));
  return SVG_START.test(text);
}

/** @throws SettingsError the file can't be read, or is too large */
function readPicture(path: string): Buffer {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new SettingsError(`BRAND_LOGO: ${path} is not a file.`);
    if (stats.size > MAX_KIB * 1024) {
      throw new SettingsError(`BRAND_LOGO: ${path} has more than ${MAX_KIB} KiB.`);
    }
    return readFileSync(path);
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    const { message } = error as Error;
    throw new SettingsError(`BRAND_LOGO: ${path} cannot be read: ${message}.`);
  }
}

/** How the pages of a domain look. */
export type Brand = {
  /** Plain text. */
  name: string;
  logo: BrandLogo | undefined;
  /** A style sheet. */
  styles: string | undefined;
};

export const PLAIN_BRAND: Brand = { name: 'Curt', logo: undefined, styles: undefined };

/** @throws SettingsError the logo can't be used, or the color has too little contrast */
export function loadBrand({
  brandName,
  brandLogo,
  brandColor,
}: Pick<Settings, 'brandName' | 'brandLogo' | 'brandColor'>): Brand {
  const logo = brandLogo === undefined ? undefined : readPicture(brandLogo);
  return toBrand(brandName, logo, brandColor, PLAIN_BRAND, ({ part, message }) => {
    throw new SettingsError(`BRAND_${part.toUpperCase()}: ${message}`);
  });
}

type BrandProblem = { part: 'logo' | 'color'; message: string };

/**
 * Returns the brand of a domain. What it does not set, or what cannot be used, is the server's.
 *
 * @param onProblem called if the logo is no picture, or the color has too little contrast
 */
export function brandOf(
  { name, logo, color }: DomainBrand,
  server: Brand,
  onProblem: (problem: BrandProblem) => void,
): Brand {
  const picture = logo === null ? undefined : fromDataUrl(logo);
  return toBrand(name, picture, color?.split(',') ?? [], server, onProblem);
}

function toBrand(
  name: string | null | undefined,
  logo: Buffer | undefined,
  colors: readonly string[],
  server: Brand,
  onProblem: (problem: BrandProblem) => void,
): Brand {
  const use = <T>(part: BrandProblem['part'], load: () => T): T | undefined => {
    try {
      return load();
    } catch (error) {
      if (!(error instanceof BrandError)) throw error;
      onProblem({ part, message: error.message });
      return undefined;
    }
  };
  return {
    name: name ?? server.name,
    logo: (logo && use('logo', () => toBrandLogo(logo))) ?? server.logo,
    styles:
      (colors.length > 0 ? use('color', () => brandStyles(colors)) : undefined) ?? server.styles,
  };
}

function fromDataUrl(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

/** A brand that cannot be used: a color with too little contrast, or a logo that is no picture. */
export class BrandError extends Error {
  override name = 'BrandError';
}

type Color = [red: number, green: number, blue: number];

/** @param hex such as `#0b6b57` */
function parseColor(hex: string): Color {
  return [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16)) as Color;
}

/** Returns the contrast ratio, from 1 to 21. See https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio. */
function contrast(one: Color, other: Color): number {
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
function mixColors(one: Color, other: Color, share: number): Color {
  return one.map((part, index) =>
    Math.round(part * (1 - share) + (other[index] ?? 0) * share),
  ) as Color;
}

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
 * Returns the style sheet that makes a color the accent of all pages, after `shared/tokens.css`.
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
