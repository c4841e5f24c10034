import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Reads the sum before it waits, so what others add to it meanwhile is lost. */
const AWAIT_IN_SUM = /[-+]= \(*await\b/;

test.each(['this.#bytes += await append(lines);', 'bytes -= (await stat(path)).size;'])(
  '%s is recognized',
  (line) => {
    expect(line).toMatch(AWAIT_IN_SUM);
  },
);

test('no sum waits for what it adds', () => {
  const files = globSync('{server,shared,extension}/**/*.{ts,tsx}', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(500);
  const found = files.filter((path) => AWAIT_IN_SUM.test(readFileSync(join(ROOT, path), 'utf8')));
  expect(found).toEqual([]);
});
