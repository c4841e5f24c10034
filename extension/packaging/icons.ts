import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { Files } from './files.ts';

/** Of the square from edge to edge. */
const SIZES = [16, 32, 48, 64, 96];
/** Those of Firefox's toolbar and its menu, on usual screens and on dense ones. */
const DARK_SIZES = [16, 32, 64];
/** Chrome's store wants 96 pixels of square within 128, which it shows among icons of all shapes. */
const PADDED = { size: 128, viewBox: '-5.3333 -5.3333 42.6667 42.6667' };
/** Edge's store shows a logo of its own. */
const LOGO_SIZE = 300;

/** For dark toolbars: the colours of the dark theme, as in `shared/tokens.css`. */
const DARK_COLOURS: Record<string, string> = {
  '#0b6b57': '#6fd6b8',
  '#fff': '#06281f',
  '#9fe3c8': '#0b6b57',
};

const ICON = join(import.meta.dirname, '../../shared/icon.svg');
const RENDERER = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');

/** All that is drawn of `shared/icon.svg`, by its path in `extension/`: the same bytes everywhere. */
export async function drawIcons(): Promise<Files> {
  await initWasm(await readFile(RENDERER));
  const svg = await readFile(ICON, 'utf8');
  const dark = svg.replaceAll(/#[\da-f]+/g, (colour) => DARK_COLOURS[colour] ?? colour);
  const padded = svg.replace('viewBox="0 0 32 32"', `viewBox="${PADDED.viewBox}"`);

  const icons: Files = {
    [`public/icon/${PADDED.size}.png`]: draw(padded, PADDED.size),
    [`packaging/logo-${LOGO_SIZE}.png`]: draw(svg, LOGO_SIZE),
  };
  for (const size of SIZES) icons[`public/icon/${size}.png`] = draw(svg, size);
  for (const size of DARK_SIZES) icons[`public/icon/dark-${size}.png`] = draw(dark, size);
  return icons;
}

function draw(svg: string, size: number): Uint8Array {
  return new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();
}
