import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';
import { withStaticImports } from '../../support/checks/static-imports.ts';

/** Compressed JavaScript and CSS that load before the first paint. */
const MAX_BYTES = 20_000;

test.each([
  ['Chromium', 'chromeExtensionFolder'],
  ['Firefox', 'firefoxExtensionFolder'],
] as const)('the popup for %s loads at most 20 kB before it shows anything', (_, key) => {
  const folder = inject(key);
  const page = readFileSync(join(folder, 'popup.html'), 'utf8');
  const named = [...page.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="\/([^"]+\.(?:js|css))"/g)];
  const files = withStaticImports(
    folder,
    named.map(([, path = '']) => path),
  );
  expect([...files].filter((path) => path.endsWith('.css'))).not.toEqual([]);
  const weights = [...files].map((path) => [
    path,
    gzipSync(readFileSync(join(folder, path))).length,
  ]);
  const sum = weights.reduce((total, [, bytes]) => total + Number(bytes), 0);
  expect(sum, JSON.stringify(weights)).toBeLessThanOrEqual(MAX_BYTES);
  // A very low sum means that files were not found.
  expect(sum).toBeGreaterThan(MAX_BYTES / 4);
});
