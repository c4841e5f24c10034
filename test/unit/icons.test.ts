import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { drawIcons } from '../../extension/packaging/icons.ts';
import { readFiles } from '../../extension/packaging/package-files.ts';

const EXTENSION = new URL('../../extension/', import.meta.url);
const drawn = await drawIcons();
const paths = Object.keys(drawn);

test.each(paths)('%s is the output of `npm run icons`', async (path) => {
  const committed = await readFile(new URL(path, EXTENSION));
  expect(committed.equals(drawn[path] ?? Buffer.of())).toBe(true);
});

test('there are no other icons', async () => {
  const inFolder = Object.keys(await readFiles(new URL('public/icon', EXTENSION).pathname));
  const expected = paths.filter((path) => path.startsWith('public/icon/'));
  expect(inFolder.map((name) => `public/icon/${name}`).sort()).toEqual(expected.sort());
  expect(inFolder).toEqual(
    expect.arrayContaining(['16.png', '32.png', '48.png', '96.png', '128.png']),
  );
});
