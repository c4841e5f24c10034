import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { UserManifest } from 'wxt';
import { readLocales } from '../../shared/locales/read-locales.ts';
import config from '../../wxt.config.ts';

const ROOT = new URL('../../', import.meta.url);
const BROWSERS = { chrome: 'Chromium', firefox: 'Firefox' };
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'ar'];
/** Chrome's limit for a manifest's description; Edge and AMO allow more. */
const SUMMARY_MAX_CHARACTERS = 132;

const store = await readFile(new URL('STORE.md', ROOT), 'utf8');

async function manifestOf(browser: string): Promise<UserManifest> {
  const { manifest } = config;
  if (typeof manifest !== 'function')
    throw new Error('The manifest is no function of the browser.');
  return manifest({ browser, manifestVersion: 3, mode: 'production', command: 'build' });
}

function summaryIn(language: string): string {
  return readLocales()[language]?.extension_description ?? '';
}

/** The first and second cells of a section's tables. */
function rowsOf(heading: string): [string, string][] {
  const [, section = ''] = store.split(`\n## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  return [...body.matchAll(/^\| ([^|]+) \| ([^|]+) \| /gm)].map(([, one = '', two = '']) => [
    one,
    two,
  ]);
}

describe.each(Object.entries(BROWSERS))('for %s', (browser, family) => {
  test('STORE.md explains every permission and names no others', async () => {
    const { permissions, host_permissions, optional_permissions } = await manifestOf(browser);
    const named = rowsOf('Permissions')
      .filter(([, browsers]) => browsers.includes(family))
      .map(([permission]) => permission.replaceAll('`', ''));
    expect(named.sort()).toEqual([...(permissions ?? [])].sort());
    expect(host_permissions).toBeUndefined();
    expect(optional_permissions).toBeUndefined();
  });
});

test('STORE.md names the data that the Firefox manifest declares', async () => {
  const { browser_specific_settings } = await manifestOf('firefox');
  const named = rowsOf('Data use')
    .map(([, category]) => category)
    .filter((category) => category.startsWith('`'))
    .map((category) => category.replaceAll('`', ''));
  expect(browser_specific_settings).toMatchObject({
    gecko: { data_collection_permissions: { required: named } },
  });
});

test('STORE.md has the same summary as the manifest', async () => {
  expect(store).toContain(`| Summary | ${summaryIn('en')} |\n`);
});

test.each(LANGUAGES)('the summary in %s is short enough for the stores', (language) => {
  const { length } = summaryIn(language);
  expect(length).toBeGreaterThan(0);
  expect(length).toBeLessThanOrEqual(SUMMARY_MAX_CHARACTERS);
});

test('every picture has a size that the stores accept', async () => {
  const folder = new URL('extension/packaging/pictures/', ROOT);
  const pictures = (await readdir(folder)).filter((name) => /^store-.*\.png$/.test(name));
  const sizes = await Promise.all(
    pictures.map(async (name) => {
      const png = await readFile(new URL(name, folder));
      return [name, png.readUInt32BE(16), png.readUInt32BE(20)];
    }),
  );
  expect(sizes).toEqual(pictures.map((name) => [name, 1280, 800]));
  // Chrome accepts five at most; the others accept more.
  expect(pictures.length).toBeGreaterThanOrEqual(5);
});
