import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  findToken,
  listServers,
  removeToken,
  replaceToken,
  restoreToken,
  revealToken,
  saveIssuedToken,
} from '../../../../extension/background/account/tokens.ts';
import { readSettings, saveSettings } from '../../../../extension/background/data/settings.ts';
import { eraseData } from '../../../../extension/background/messages/settings-messages.ts';
import { accountTokens, previousTokens } from '../../../../extension/storage/items.ts';
import { duringWrite } from '../support/browser-storage.ts';

const ONE = 'https://one.example';
const TWO = 'https://two.example';

beforeEach(() => fakeBrowser.reset());

const DEFAULTS = {
  serverOrigin: 'http://localhost:2878',
  optionsFirst: false,
  skipPopup: false,
  copyAtOnce: true,
  copyFormat: 'url',
  stripTracking: true,
  sendTitles: true,
  warnAboutSecrets: true,
  preferCanonical: false,
};

describe('settings', () => {
  test('are the defaults until the user changes them', async () => {
    expect(await readSettings()).toEqual(DEFAULTS);
  });

  test('change one by one', async () => {
    await saveSettings({ copyAtOnce: false });
    await saveSettings({ serverOrigin: ONE });
    const changed = { serverOrigin: ONE, copyAtOnce: false };
    expect(await readSettings()).toEqual({ ...DEFAULTS, ...changed });
  });

  test('fall back one by one if they do not parse', async () => {
    await fakeBrowser.storage.local.set({
      settings: { serverOrigin: 42, optionsFirst: 'yes', copyAtOnce: false, copyFormat: 'rtf' },
    });
    expect(await readSettings()).toEqual({ ...DEFAULTS, copyAtOnce: false });
  });
});

describe('tokens', () => {
  test('are all stored if written concurrently', async () => {
    await Promise.all([
      saveIssuedToken(ONE, 'curt_one', false),
      saveIssuedToken(TWO, 'curt_two', false),
    ]);
    expect(await accountTokens.read()).toEqual({ [ONE]: 'curt_one', [TWO]: 'curt_two' });
  });

  test('replace an existing one if pasted, but not if issued', async () => {
    await saveIssuedToken(ONE, 'curt_first', false);
    await saveIssuedToken(ONE, 'curt_second', false);
    expect(await findToken(ONE, false)).toBe('curt_first');
    await replaceToken(ONE, 'curt_pasted');
    expect(await findToken(ONE, false)).toBe('curt_pasted');
  });

  test('become previous tokens, each once, if issued while another came into use', async () => {
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

  test('are not stored if all data is erased just before', async () => {
    duringWrite('session', 'curt_issued', eraseData);
    await saveIssuedToken(ONE, 'curt_issued', false);
    expect(await listServers()).toEqual([]);
  });

  test('become previous tokens when replaced, each once, newest first', async () => {
    const at = (day: number) => Date.UTC(2030, 0, day);
    await replaceToken(ONE, 'curt_first', at(1));
    await replaceToken(ONE, 'curt_second', at(2));
    await replaceToken(ONE, 'curt_second', at(3));
    await replaceToken(ONE, 'curt_third', at(4));
    expect(await listServers()).toEqual([
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

  test('are not lost if replaced concurrently', async () => {
    await replaceToken(ONE, 'curt_first');
    await Promise.all([replaceToken(ONE, 'curt_second'), replaceToken(ONE, 'curt_third')]);
    expect(await findToken(ONE, false)).toBe('curt_third');
    expect((await previousTokens.read())[ONE]?.map(({ token }) => token)).toEqual([
      'curt_second',
      'curt_first',
    ]);
  });

  test('can be deleted one by one once replaced', async () => {
    await replaceToken(ONE, 'curt_first', 1);
    await replaceToken(ONE, 'curt_second', 2);
    await removeToken(ONE, new Date(2).toISOString());
    expect(await listServers()).toEqual([{ origin: ONE, hasToken: true, replacedAt: [] }]);
    await removeToken(ONE);
    expect(await listServers()).toEqual([]);
  });

  test('are deleted for one server only', async () => {
    await replaceToken(ONE, 'curt_one');
    await replaceToken(TWO, 'curt_two');
    await removeToken(ONE);
    expect(await accountTokens.read()).toEqual({ [TWO]: 'curt_two' });
  });

  test('survive an entry that does not parse', async () => {
    await fakeBrowser.storage.local.set({ accountTokens: { [ONE]: 'curt_one', [TWO]: 7 } });
    expect(await accountTokens.read()).toEqual({ [ONE]: 'curt_one' });
  });
});
