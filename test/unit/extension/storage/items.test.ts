import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { readSettings, saveSettings } from '../../../../extension/background/data/settings.ts';
import {
  findToken,
  listAccounts,
  removeToken,
  replaceToken,
  restoreToken,
  revealToken,
  saveIssuedToken,
} from '../../../../extension/background/server/tokens.ts';
import { accountTokens, previousTokens } from '../../../../extension/storage/items.ts';

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
      stripTracking: true,
      warnAboutSecrets: true,
      preferCanonical: false,
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
      stripTracking: true,
      warnAboutSecrets: true,
      preferCanonical: false,
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
      stripTracking: true,
      warnAboutSecrets: true,
      preferCanonical: false,
    });
  });
});

describe('tokens', () => {
  test('written at the same time are all kept', async () => {
    await Promise.all([
      saveIssuedToken(ONE, 'curt_one', false),
      saveIssuedToken(TWO, 'curt_two', false),
    ]);
    expect(await accountTokens.read()).toEqual({ [ONE]: 'curt_one', [TWO]: 'curt_two' });
  });

  test('that were issued do not replace one that is there, and pasted ones do', async () => {
    await saveIssuedToken(ONE, 'curt_first', false);
    await saveIssuedToken(ONE, 'curt_second', false);
    expect(await findToken(ONE, false)).toBe('curt_first');
    await replaceToken(ONE, 'curt_pasted');
    expect(await findToken(ONE, false)).toBe('curt_pasted');
  });

  test('that were issued while another came into use stay among the former ones, each once', async () => {
    await replaceToken(ONE, 'curt_pasted');
    await saveIssuedToken(ONE, 'curt_issued', false, Date.UTC(2030, 0, 1));
    await saveIssuedToken(ONE, 'curt_issued', false, Date.UTC(2030, 0, 2));
    expect(await findToken(ONE, false)).toBe('curt_pasted');
    expect((await previousTokens.read())[ONE]).toEqual([
      { token: 'curt_issued', replacedAt: '2030-01-01T00:00:00.000Z' },
    ]);
    await saveIssuedToken(ONE, 'curt_pasted', false);
    expect((await previousTokens.read())[ONE]).toHaveLength(1);
  });

  test('that others replace stay among the former ones, each once, newest first', async () => {
    const at = (day: number) => Date.UTC(2030, 0, day);
    await replaceToken(ONE, 'curt_first', at(1));
    await replaceToken(ONE, 'curt_second', at(2));
    await replaceToken(ONE, 'curt_second', at(3));
    await replaceToken(ONE, 'curt_third', at(4));
    expect(await listAccounts()).toEqual([
      {
        origin: ONE,
        hasToken: true,
        replacedAt: ['2030-01-04T00:00:00.000Z', '2030-01-02T00:00:00.000Z'],
      },
    ]);
    expect(await revealToken(ONE, '2030-01-02T00:00:00.000Z')).toBe('curt_first');
    await restoreToken(ONE, '2030-01-02T00:00:00.000Z');
    expect(await findToken(ONE, false)).toBe('curt_first');
    expect((await previousTokens.read())[ONE]?.map(({ token }) => token)).toEqual([
      'curt_third',
      'curt_second',
    ]);
  });

  test('that replace others at the same time are none of them lost', async () => {
    await replaceToken(ONE, 'curt_first');
    await Promise.all([replaceToken(ONE, 'curt_second'), replaceToken(ONE, 'curt_third')]);
    expect(await findToken(ONE, false)).toBe('curt_third');
    expect((await previousTokens.read())[ONE]?.map(({ token }) => token)).toEqual([
      'curt_second',
      'curt_first',
    ]);
  });

  test('that were replaced are forgotten one by one', async () => {
    await replaceToken(ONE, 'curt_first', 1);
    await replaceToken(ONE, 'curt_second', 2);
    await removeToken(ONE, new Date(2).toISOString());
    expect(await listAccounts()).toEqual([{ origin: ONE, hasToken: true, replacedAt: [] }]);
    await removeToken(ONE);
    expect(await listAccounts()).toEqual([]);
  });

  test('are forgotten for one server alone', async () => {
    await replaceToken(ONE, 'curt_one');
    await replaceToken(TWO, 'curt_two');
    await removeToken(ONE);
    expect(await accountTokens.read()).toEqual({ [TWO]: 'curt_two' });
  });

  test('survive a neighbour that does not parse', async () => {
    await fakeBrowser.storage.local.set({ accountTokens: { [ONE]: 'curt_one', [TWO]: 7 } });
    expect(await accountTokens.read()).toEqual({ [ONE]: 'curt_one' });
  });
});
