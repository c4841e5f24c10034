import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const read = (path: string) =>
  readFileSync(join(import.meta.dirname, '../../shared', path), 'utf8');
const theme = read('ui/styles/theme.css');
const sheets = ['tokens.css', 'ui/links/rows/rows.css'].map((path) => read(path).split('@media'));
const light = coloursOf(sheets.map(([all]) => all).join());
const dark = coloursOf(sheets.map(([, inDark]) => inDark).join());
const SCHEMES = { light, dark: { ...light, ...dark } };

const GROUNDS = ['surface', 'ground', 'raised'];

/** Text and backgrounds: WCAG 2.2, 1.4.3. Placeholders are muted text, too. */
const TEXTS: [string, string[]][] = [
  ['text', [...GROUNDS, 'sunken', 'danger-ground']],
  ['muted', [...GROUNDS, 'sunken', 'danger-ground']],
  ['accent', GROUNDS],
  ['danger', ['surface', 'ground', 'danger-ground']],
  ['on-accent', ['accent', 'accent-strong']],
  ['on-host', Array.from({ length: 8 }, (_, index) => `host-${index + 1}`)],
];
/** Borders of controls, focus rings and meaningful icons: WCAG 2.2, 1.4.11. */
const SHAPES: [string, string[]][] = [
  ['control-line', GROUNDS],
  ['accent', GROUNDS],
  ['second', GROUNDS],
  ['muted', GROUNDS],
  ['danger', [...GROUNDS, 'danger-ground']],
];

describe.each(Object.entries(SCHEMES))('in %s', (_, colours) => {
  const ratio = (one: string, other: string) => contrast(pick(one), pick(other));
  const pick = (name: string): Colour => colours[name] ?? expect.unreachable(`No --color-${name}`);

  test.each(pairs(TEXTS))('text in %s is readable on %s', (colour, ground) => {
    expect(ratio(colour, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(pairs(SHAPES))('shapes in %s are visible on %s', (colour, ground) => {
    expect(ratio(colour, ground)).toBeGreaterThanOrEqual(3);
  });

  // WCAG does not require it, but they show what is happening.
  test.each([
    ['text', 'surface'],
    ['on-accent', 'accent'],
  ])('an inactive control is still readable, %s on %s', (colour, ground) => {
    const opacity = Number(/aria-disabled[^}]*opacity: ([\d.]+)/.exec(theme)?.[1]);
    const faded = (name: string) => mix(pick(name), pick('surface'), opacity);
    expect(contrast(faded(colour), faded(ground))).toBeGreaterThanOrEqual(3);
  });
});

test('the contrast is calculated as in WCAG', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBe(21);
  expect(contrast([118, 118, 118], [255, 255, 255])).toBeCloseTo(4.54, 2);
});

type Colour = [red: number, green: number, blue: number];

function coloursOf(css: string): Record<string, Colour> {
  const found = css.matchAll(/--color-([\w-]+): #(..)(..)(..);/g);
  return Object.fromEntries(
    [...found].map(([, name, ...parts]) => [name, parts.map((part) => Number.parseInt(part, 16))]),
  );
}

function pairs(uses: [string, string[]][]): [string, string][] {
  return uses.flatMap(([colour, grounds]) =>
    grounds.map((ground): [string, string] => [colour, ground]),
  );
}

function mix(over: Colour, under: Colour, opacity: number): Colour {
  return over.map((part, index) => part * opacity + (under[index] ?? 0) * (1 - opacity)) as Colour;
}

function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
