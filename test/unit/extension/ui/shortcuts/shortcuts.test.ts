import { expect, test } from 'vitest';
import config from '../../../../../wxt.config.ts';

/** With Alt+Shift, used by Chromium, ChromeOS or Dark Reader (A, D). */
const TAKEN_LETTERS = ['A', 'B', 'C', 'D', 'I', 'K', 'L', 'M', 'N', 'S', 'T'];

const keysFor = async (browser: string, system: 'default' | 'mac' = 'default') => {
  const { manifest } = config;
  if (typeof manifest !== 'function') throw new Error('The manifest should be a function.');
  const made = await manifest({
    browser,
    manifestVersion: 3,
    mode: 'production',
    command: 'build',
  });
  return Object.values(made.commands ?? {}).map(({ suggested_key: keys }) =>
    typeof keys === 'string' ? keys : keys?.[system],
  );
};

test.each(['chrome', 'firefox'])('every command in %s has its own keys', async (browser) => {
  expect(await keysFor(browser)).toEqual(['Alt+Shift+U', 'Alt+Shift+Y', 'Alt+Shift+O']);
});

test.each(['chrome', 'firefox'])(
  'no keys in %s type a letter on a Mac, where Option and Shift do on many keyboards',
  async (browser) => {
    const keys = ['U', 'Y', 'O'].map((letter) => `MacCtrl+Shift+${letter}`);
    expect(await keysFor(browser, 'mac')).toEqual(keys);
  },
);

test('no suggested keys conflict with a browser or a common extension', async () => {
  const taken = TAKEN_LETTERS.map((letter) => `Alt+Shift+${letter}`);
  expect((await keysFor('chrome')).filter((keys) => taken.includes(keys ?? ''))).toEqual([]);
});
