import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../../../../server/config.ts';
import { loadBrand } from '../../../../server/domains/brand.ts';
import { SettingsError } from '../../../../server/lib/settings.ts';

const brandOf = (env: Record<string, string>) => loadBrand(readSettings(env));

test('the name is plain text of at most 40 characters', () => {
  for (const unset of [{}, { BRAND_NAME: '  ' }]) expect(brandOf(unset).name).toBe('Curt');
  expect(brandOf({ BRAND_NAME: ' Links & <Co> ' }).name).toBe('Links & <Co>');
  for (const name of ['x'.repeat(41), 'a\nb', 'a\u0007']) {
    expect(() => brandOf({ BRAND_NAME: name })).toThrow(/^BRAND_NAME must be a text of at most 40/);
  }
});

test.each([
  // Luminance decides: dark greens and blues disappear on dark pages, yellow on light ones.
  ['#0b6b57,#0b6b57', /#0b6b57 has a contrast of 2\.\d\d:1 with the dark background #1b1f1d/],
  ['#ffd100', /#ffd100 has a contrast of 1\.\d\d:1 with the light background #ffffff/],
  ['#6fd6b8,#0b6b57', /#6fd6b8 has a contrast of 1\.\d\d:1 with the light background #ffffff/],
])('the color %s has too little contrast, and the error names the ratio', (color, message) => {
  expect(() => brandOf({ BRAND_COLOR: color })).toThrow(SettingsError);
  expect(() => brandOf({ BRAND_COLOR: color })).toThrow(message);
});

test.each(['green', '#0b6', '#0b6b5g', '#0b6b57;}', '#000000,#111111,#222222'])(
  'the color "%s" is invalid',
  (color) => {
    expect(() => brandOf({ BRAND_COLOR: color })).toThrow(/^BRAND_COLOR must be a color such as/);
  },
);

test('one color serves both color schemes, with readable text on buttons', () => {
  const { styles = '' } = brandOf({ BRAND_COLOR: '#1A73E8' });
  expect(styles.match(/--color-accent: #1a73e8;/g)).toHaveLength(2);
  expect(styles).toContain('--color-on-accent: #');
  expect(brandOf({}).styles).toBeUndefined();
});

test.each(['#0b6b57', '#000000', '#7a0019'])(
  'the color %s alone gets a lighter one for dark pages',
  (color) => {
    const { styles = '' } = brandOf({ BRAND_COLOR: color });
    const [light = '', dark = ''] = styles.split('(prefers-color-scheme: dark)');
    expect(light).toContain(`--color-accent: ${color};`);
    const [, accent] = /--color-accent: (#[\da-f]{6});/.exec(dark) ?? [];
    expect(accent).not.toBe(color);
    expect(() => brandOf({ BRAND_COLOR: `${color},${accent}` })).not.toThrow();
  },
);

test('two colors are for light and for dark pages', () => {
  const { styles = '' } = brandOf({ BRAND_COLOR: '#0b6b57, #6fd6b8' });
  const [light = '', dark = ''] = styles.split('(prefers-color-scheme: dark)');
  expect(light).toMatch(/--color-accent: #0b6b57;[\s\S]*--color-on-accent: #ffffff;/);
  expect(dark).toMatch(/--color-accent: #6fd6b8;[\s\S]*--color-on-accent: #000000;/);
});

test('a color with less contrast than text needs is not the color of links', () => {
  const { styles = '' } = brandOf({ BRAND_COLOR: '#0b6b57,#8a8a8a' });
  const [light = '', dark = ''] = styles.split('(prefers-color-scheme: dark)');
  expect(light).toContain('--color-link: #0b6b57;');
  expect(dark).toContain('--color-link: var(--color-text);');
});

test.each([
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
  ['\uFEFF<?xml version="1.0"?>\n<!-- A -->\n<!DOCTYPE svg>\n<svg></svg>', 'image/svg+xml'],
  [Buffer.from('89504e470d0a1a0a0000', 'hex'), 'image/png'],
])('the logo %j is recognized by its content', (content, type) => {
  expect(brandOf({ BRAND_LOGO: fileWith(content) }).logo?.type).toBe(type);
});

test.each([
  ['<html><svg></svg></html>', /neither an SVG nor a PNG/],
  ['', /neither an SVG nor a PNG/],
  [`<svg>${' '.repeat(256 * 1024)}</svg>`, /more than 256 KiB/],
])('another file is no logo', (content, message) => {
  expect(() => brandOf({ BRAND_LOGO: fileWith(content) })).toThrow(message);
});

test('a logo that cannot be read stops the start', () => {
  expect(() => brandOf({ BRAND_LOGO: '/nowhere/logo.svg' })).toThrow(/^BRAND_LOGO: .*ENOENT/);
  expect(() => brandOf({ BRAND_LOGO: tmpdir() })).toThrow(/is not a file/);
});

function fileWith(content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'curt-logo-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'logo');
  writeFileSync(path, content);
  return path;
}
