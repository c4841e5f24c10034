import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, inject, test } from 'vitest';
import { withStaticImports } from '../../support/checks/static-imports.ts';

/** Compressed HTML, JavaScript and CSS that load until the popup has asked the background, and then until the link is shown. */
const MAX_START_BYTES = 10_500;
const MAX_REST_BYTES = 30_500;
/** Requests are slower than some unused code. */
const MAX_START_FILES = 5;
const MAX_REST_FILES = 3;
/** What the background evaluates each time that it starts. */
const MAX_BACKGROUND_BYTES = 70_000;

describe.each([
  ['Chromium', 'chromeExtensionFolder'],
  ['Firefox', 'firefoxExtensionFolder'],
] as const)('the extension for %s', (_, key) => {
  const folder = inject(key);
  const read = (path: string) => readFileSync(join(folder, path));
  const page = read('popup.html').toString();
  const [, main = ''] = /^import\('\/([^']+)'\);/.exec(read('load-popup.js').toString()) ?? [];
  const start = withStaticImports(folder, ['load-popup.js', main]);
  const weigh = (paths: Iterable<string>) =>
    [...paths].map((path) => [path, gzipSync(read(path)).length] as const);

  test('loads at most 10.5 kB in 5 files before the popup asks the background', () => {
    expectWithin(weigh(['popup.html', ...start]), MAX_START_FILES, MAX_START_BYTES);
    expect(
      [...page.matchAll(/\b(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, path]) => path),
    ).toEqual(['load-popup.js']);
    expect(page).toMatch(/<style>[^<]*\.bar\s*\{/);
  });

  test('loads at most 30.5 kB in 3 files then, before the popup shows a link', () => {
    const [, open = ''] = [...start]
      .map((path) => /import\("?`?\.\/(open-popup-[^"`]+\.js)/.exec(read(path).toString()))
      .find((found) => found !== null) as RegExpExecArray;
    const code = withStaticImports(folder, [`chunks/${open}`]);
    const rest = [...code].filter((path) => !start.has(path));
    const style = /assets\/open-popup-[\w-]+\.css/.exec([...start].map(read).join(''))?.[0] ?? '';
    expectWithin(weigh([...rest, style]), MAX_REST_FILES, MAX_REST_BYTES);
  });

  test('has a background of at most 70 kB', () => {
    expectWithin(weigh(['background.js']), 1, MAX_BACKGROUND_BYTES);
  });
});

/** A very low sum means that files were not found. */
function expectWithin(
  weights: (readonly [path: string, bytes: number])[],
  maxFiles: number,
  maxBytes: number,
): void {
  const sum = weights.reduce((total, [, bytes]) => total + bytes, 0);
  expect(sum, JSON.stringify(weights)).toBeLessThanOrEqual(maxBytes);
  expect(sum).toBeGreaterThan(maxBytes / 2);
  expect(weights.length, JSON.stringify(weights)).toBeLessThanOrEqual(maxFiles);
}
