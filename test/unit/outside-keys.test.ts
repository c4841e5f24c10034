import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** An object literal to be indexed by any text, in which `constructor` and `__proto__` are found. */
const INDEXED_LITERAL =
  /\b(?:const|let) \w+: (?:Partial<)?Record<string, [^;=]*(?:=>[^;=]*)*= \{|\{\} as (?:Partial<)?Record<string,|\[key: string\]/;
/** A tally in an object: `sums[key] = (sums[key] ?? 0) + 1`. The names are those of places in arrays. */
const TALLY =
  /(\w+\[(?!(?:index|at|word)\])\w+\]) (?:\?\?|\+)= \d|(\w+\[(?!(?:index|at|word)\])\w+\]) = \(?\2 \?\?/;

/** Files with such objects whose keys nobody outside can choose. */
const ALLOWED = new Map([
  ['extension/background/triggers/context-menu.ts', 'the browser passes back our own IDs'],
  ['extension/background/triggers/omnibox.ts', 'a pattern matches the keys'],
  ['extension/packaging/icons.ts', 'the keys are colors of our own icon'],
  ['server/lib/shipped-files.ts', 'the keys are the extensions of built files'],
  ['server/web/http/log/traffic-summary.ts', 'the keys are our own classes of routes'],
]);

test.each([
  ['const sums: Record<string, number> = {};', INDEXED_LITERAL],
  ['let moves: Record<string, (a: number) => number> = {', INDEXED_LITERAL],
  ['const sums = {} as Record<string, number>', INDEXED_LITERAL],
  ['sums[key] = (sums[key] ?? 0) + 1;', TALLY],
  ['sums[key] ??= 0;', TALLY],
])('%s is recognized', (line, pattern) => {
  expect(line).toMatch(pattern);
});

test('texts from outside are keys of maps, not of objects, which have keys of their own', () => {
  const files = globSync('{server,shared,extension}/**/*.{ts,tsx}', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(500);
  const found = files.filter((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return INDEXED_LITERAL.test(text) || TALLY.test(text);
  });
  expect(found.filter((path) => !ALLOWED.has(path))).toEqual([]);
  expect([...ALLOWED.keys()].filter((path) => !found.includes(path))).toEqual([]);
});
