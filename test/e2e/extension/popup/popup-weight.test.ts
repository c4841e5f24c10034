import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseSync } from 'vite';
import { expect, inject, test } from 'vitest';

/** Compressed JavaScript and CSS that load before the first paint. */
const MAX_BYTES = 20_000;

test.each([
  ['Chromium', 'chromeExtensionFolder'],
  ['Firefox', 'firefoxExtensionFolder'],
] as const)('the popup for %s loads at most 20 kB before it shows anything', (_, key) => {
  const folder = inject(key);
  const page = readFileSync(join(folder, 'popup.html'), 'utf8');
  const files = new Set(
    [...page.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(
      ([, path = '']) => path,
    ),
  );
  expect([...files].filter((path) => path.endsWith('.css'))).not.toEqual([]);
  // The set grows during the loop, so that imports are followed too.
  for (const path of files) {
    if (path.endsWith('.js')) for (const found of importsOf(folder, path)) files.add(found);
  }
  const weights = [...files].map((path) => [
    path,
    gzipSync(readFileSync(join(folder, path))).length,
  ]);
  const sum = weights.reduce((total, [, bytes]) => total + Number(bytes), 0);
  expect(sum, JSON.stringify(weights)).toBeLessThanOrEqual(MAX_BYTES);
  // A very low sum means that files were not found.
  expect(sum).toBeGreaterThan(MAX_BYTES / 4);
});

/** A module's static imports. Dynamic imports are not included. */
function importsOf(folder: string, path: string): string[] {
  const { module } = parseSync(path, readFileSync(join(folder, path), 'utf8'));
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ].map((specifier) => posix.join(posix.dirname(path), specifier));
}
