import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findOrInstallBrowser } from '../e2e/support/setup/find-browser.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curt-browsers-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('the variable takes precedence over the PATH', async () => {
  const named = await executable('mine');
  await executable('chromium');
  const env = { PATH: folder, CHROME_PATH: named };
  expect(await findOrInstallBrowser('chromium', { env, places: [], install: cannot })).toBe(named);
});

test('a variable without an executable is an error, and nothing is installed', async () => {
  const missing = join(folder, 'missing');
  const env = { PATH: folder, FIREFOX_PATH: missing };
  await expect(
    findOrInstallBrowser('firefox', { env, places: [], install: cannot }),
  ).rejects.toThrow(`FIREFOX_PATH is ${missing}, where there is no executable file.`);
});

test('Chromium takes precedence over similar browsers, regardless of the order in the PATH', async () => {
  await executable('google-chrome');
  const chromium = await executable('chromium');
  const env = { PATH: ['/nowhere', folder].join(delimiter) };
  expect(await findOrInstallBrowser('chromium', { env, places: [], install: cannot })).toBe(
    chromium,
  );
});

test('a missing browser is installed and found', async () => {
  const install = async (_kind: string, find: () => string | undefined) => {
    await executable('firefox-esr');
    return find() ?? 'not found';
  };
  const env = { PATH: folder };
  expect(await findOrInstallBrowser('firefox', { env, places: [], install })).toBe(
    join(folder, 'firefox-esr'),
  );
});

test('the error for a browser that cannot be installed names what to install', async () => {
  const env = { PATH: folder };
  await expect(
    findOrInstallBrowser('chromium', { env, places: [], install: cannot }),
  ).rejects.toThrow(
    'These tests need Chromium or Google Chrome, which was not found and could not be installed here (no network): install it, or set CHROME_PATH to its executable. `npm test` needs no browser.',
  );
});

async function executable(name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, '');
  await chmod(path, 0o755);
  return path;
}

async function cannot(): Promise<string> {
  throw new Error('no network');
}
