import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { type Files, writeFiles } from './package-files.ts';

/** Icons without padding. */
const SIZES = [16, 32, 48, 64, 96];
/** Sizes of Firefox's toolbar and menu, on normal and high-density screens. */
const DARK_SIZES = [16, 32, 64];
/** The Chrome Web Store requires a 96-pixel icon within 128 pixels. */
const PADDED = { size: 128, viewBox: '-5.3333 -5.3333 42.6667 42.6667' };
/** The logo for the store of Microsoft Edge. */
const LOGO_SIZE = 300;

/** The colors of the dark theme in `shared/tokens.css`, for dark toolbars. */
const DARK_COLORS: Record<string, string> = {
  '#0b6b57': '#6fd6b8',
  '#fff': '#06281f',
  '#9fe3c8': '#0b6b57',
};

const ICON = join(import.meta.dirname, '../../shared/icon.svg');
const RENDERER = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');

/**
 * Draws all icons from `shared/icon.svg`, by path in `extension/`. The result is reproducible. After a change of it,
 * `npm run icons` writes them.
 */
export async function drawIcons(): Promise<Files> {
  await initWasm(await readFile(RENDERER));
  const svg = await readFile(ICON, 'utf8');
  const dark = svg.replaceAll(/#[\da-f]+/g, (color) => DARK_COLORS[color] ?? color);
  const padded = svg.replace('viewBox="0 0 32 32"', `viewBox="${PADDED.viewBox}"`);

  const icons: Files = {
    [`public/icon/${PADDED.size}.png`]: draw(padded, PADDED.size),
    [`packaging/pictures/logo-${LOGO_SIZE}.png`]: draw(svg, LOGO_SIZE),
  };
  for (const size of SIZES) icons[`public/icon/${size}.png`] = draw(svg, size);
  for (const size of DARK_SIZES) icons[`public/icon/dark-${size}.png`] = draw(dark, size);
  return icons;
}

function draw(svg: string, size: number): Uint8Array {
  return new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();
}

if (import.meta.main) await writeFiles(join(import.meta.dirname, '..'), await drawIcons());
