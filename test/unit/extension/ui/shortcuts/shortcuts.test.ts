import { expect, test } from 'vitest';
import config from '../../../../../wxt.config.ts';

/** Alt+Shift and these belong to Chromium, to ChromeOS, or to Dark Reader (A, D). */
const TAKEN_LETTERS = ['A', 'B', 'C', 'D', 'I', 'K', 'L', 'M', 'N', 'S', 'T'];

const keysFor = async (browser: string) => {
  const { manifest } = config;
  if (typeof manifest !== 'function') throw new Error('The manifest is made by a function.');
  const made = await manifest({
    browser,
    manifestVersion: 3,
    mode: 'production',
    command: 'build',
  });
  return Object.values(made.commands ?? {}).map(({ suggested_key: keys }) =>
    typeof keys === 'string' ? keys : keys?.default,
  );
};

test.each(['chrome', 'firefox'])('every command in %s has keys of its own', async (browser) => {
  expect(await keysFor(browser)).toEqual(['Alt+Shift+U', 'Alt+Shift+Y', 'Alt+Shift+O']);
});

test('no suggested keys are those of a browser or of a common extension', async () => {
  const taken = TAKEN_LETTERS.map((letter) => `Alt+Shift+${letter}`);
  expect((await keysFor('chrome')).filter((keys) => taken.includes(keys ?? ''))).toEqual([]);
});
