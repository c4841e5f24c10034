import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { readSettings, saveSettings } from '../../../extension/background/settings.ts';
import {
  findToken,
  forgetToken,
  keepIssuedToken,
  replaceToken,
} from '../../../extension/background/tokens.ts';
import { accountTokens } from '../../../extension/storage.ts';

const ONE = 'https://one.example';
const TWO = 'https://two.example';

beforeEach(() => fakeBrowser.reset());

describe('settings', () => {
  test('are the defaults until something is chosen', async () => {
    expect(await readSettings()).toEqual({
      serverOrigin: 'http://localhost:2878',
      shortenAtOnce: true,
      skipPopup: false,
      copyAtOnce: true,
      copyFormat: 'url',
      cleanAddresses: true,
      warnOfSecrets: true,
    });
  });

  test('change one by one', async () => {
    await saveSettings({ copyAtOnce: false });
    await saveSettings({ serverOrigin: ONE });
    expect(await readSettings()).toEqual({
      serverOrigin: ONE,
      shortenAtOnce: true,
      skipPopup: false,
      copyAtOnce: false,
      copyFormat: 'url',
      cleanAddresses: true,
      warnOfSecrets: true,
    });
  });

  test('that do not parse fall back alone, and the others stay', async () => {
    await fakeBrowser.storage.local.set({
      settings: { serverOrigin: 42, shortenAtOnce: 'yes', copyAtOnce: false, copyFormat: 'rtf' },
    });
    expect(await readSettings()).toEqual({
      serverOrigin: 'http://localhost:2878',
      shortenAtOnce: true,
      skipPopup: false,
      copyAtOnce: false,
      copyFormat: 'url',
      cleanAddresses: true,
      warnOfSecrets: true,
    });
  });
});

describe('tokens', () => {
  test('written at the same time are all kept', async () => {
    await Promise.all([
      keepIssuedToken(ONE, 'curt_one', false),
      keepIssuedToken(TWO, 'curt_two', false),
    ]);
    expect(await accountTokens.read()).toEqual({ [ONE]: 'curt_one', [TWO]: 'curt_two' });
  });

  test('that were issued do not replace one that is there, and pasted ones do', async () => {
    await keepIssuedToken(ONE, 'curt_first', false);
    await keepIssuedToken(ONE, 'curt_second', false);
    expect(await findToken(ONE, false)).toBe('curt_first');
    await replaceToken(ONE, 'curt_pasted');
    expect(await findToken(ONE, false)).toBe('curt_pasted');
  });

  test('are forgotten for one server alone', async () => {
    await replaceToken(ONE, 'curt_one');
    await replaceToken(TWO, 'curt_two');
    await forgetToken(ONE);
    expect(await accountTokens.read()).toEqual({ [TWO]: 'curt_two' });
  });

  test('survive a neighbour that does not parse', async () => {
    await fakeBrowser.storage.local.set({ accountTokens: { [ONE]: 'curt_one', [TWO]: 7 } });
    expect(await accountTokens.read()).toEqual({ [ONE]: 'curt_one' });
  });
});
