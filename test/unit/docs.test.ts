import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VARIABLES } from '../../server/config.ts';
import { RESERVED_ALIASES } from '../../server/domains/short-domains.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENTS = globSync('{*.md,docs/**/*.md}', { cwd: ROOT });
const CODE_FILES = globSync('{*,{server,shared,extension,test}/**/*}.{ts,tsx,js}', { cwd: ROOT });
const README_MAX_LINES = 120;

const read = (path: string) => readFile(join(ROOT, path), 'utf8');
const api = await read('docs/api.md');

test('docs/api.md lists every reserved alias', () => {
  const [line = ''] = api.match(/^\*\*Reserved aliases\*\* are .*$/m) ?? [];
  expect([...line.matchAll(/`(\w+)`/g)].map(([, word]) => word)).toEqual(RESERVED_ALIASES);
});

test('docs/settings.md lists every setting', async () => {
  const settings = await read('docs/settings.md');
  for (const name of VARIABLES) expect(settings).toContain(`\`${name}\``);
});

test.each(DOCUMENTS)('%s names files that exist', async (document) => {
  const named = (await read(document)).matchAll(/`([\w./-]+\.(?:ts|tsx|js))`/g);
  for (const [, path = ''] of named) {
    expect([path, CODE_FILES.some((file) => `/${file}`.endsWith(`/${path}`))]).toEqual([
      path,
      true,
    ]);
  }
});

test('the README is short', async () => {
  expect((await read('README.md')).split('\n').length).toBeLessThanOrEqual(README_MAX_LINES);
});

describe.each(DOCUMENTS)('%s', (path) => {
  test('links to files and headings that exist', async () => {
    const text = await read(path);
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)]
      .map(([, link, image]) => link ?? image ?? '')
      .filter((target) => !/^https?:/.test(target));
    for (const target of targets) {
      const [file = '', heading] = target.split('#');
      const absolute = file === '' ? join(ROOT, path) : join(ROOT, dirname(path), file);
      expect({ target, exists: existsSync(absolute) }).toEqual({ target, exists: true });
      if (heading !== undefined) {
        expect(headingsOf(await readFile(absolute, 'utf8'))).toContain(heading);
      }
    }
  });
});

/** The anchors that GitHub generates for headings. */
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
