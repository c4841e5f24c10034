import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { saveIssuedToken } from '../../../../../extension/background/account/tokens.ts';
import {
  deleteQuarantined,
  listQuarantined,
  readQuarantined,
} from '../../../../../extension/background/data/quarantine.ts';
import { readSettings, saveSettings } from '../../../../../extension/background/data/settings.ts';
import { eraseData } from '../../../../../extension/background/messages/settings-messages.ts';
import { accountTokens } from '../../../../../extension/storage/items.ts';
import { aLink } from '../../support/a-link.ts';

const ORIGIN = 'https://one.example';
const { local } = fakeBrowser.storage;

beforeEach(() => fakeBrowser.reset());

describe('unreadable values', () => {
  test('usually do not exist', async () => {
    await saveIssuedToken(ORIGIN, 'curt_good', false);
    await saveSettings({ skipPopup: true });
    expect(await listQuarantined()).toEqual([]);
  });

  test('are listed in place, and after a write has quarantined them', async () => {
    await local.set({ accountTokens: { [ORIGIN]: 'curt_good', 'https://two.example': 7 } });
    expect(await listQuarantined()).toEqual([
      { id: 'accountTokens', item: 'accountTokens', reason: 'damaged' },
    ]);
    await saveIssuedToken('https://three.example', 'curt_new', false);
    const [quarantined, ...others] = await listQuarantined();
    expect(others).toEqual([]);
    expect(quarantined).toMatchObject({ item: 'accountTokens', reason: 'damaged' });
    expect(await accountTokens.read()).toEqual({
      [ORIGIN]: 'curt_good',
      'https://three.example': 'curt_new',
    });
    expect(JSON.parse((await readQuarantined(quarantined?.id ?? '')) ?? '')).toEqual({
      reason: 'damaged',
      version: 1,
      value: { [ORIGIN]: 'curt_good', 'https://two.example': 7 },
    });
    await deleteQuarantined(quarantined?.id ?? '');
    expect(await listQuarantined()).toEqual([]);
  });

  test('are deleted without the readable part of their item', async () => {
    await local.set({ accountTokens: { [ORIGIN]: 'curt_good', 'https://two.example': 7 } });
    await deleteQuarantined('accountTokens');
    expect(await listQuarantined()).toEqual([]);
    expect(await accountTokens.read()).toEqual({ [ORIGIN]: 'curt_good' });
  });

  test('are found among the saved links, and the other links stay', async () => {
    const link = { ...aLink(), serverOrigin: ORIGIN, requestedUrl: 'https://example.com/' };
    const links = [link, { neither: true }];
    const value = { [ORIGIN]: links, 'https://worse.example': 'nonsense' };
    await local.set({ savedLinks: value });
    expect(await listQuarantined()).toEqual([
      { id: 'savedLinks', item: 'savedLinks', reason: 'damaged' },
    ]);
    expect(JSON.parse((await readQuarantined('savedLinks')) ?? '')).toMatchObject({ value });
    await deleteQuarantined('savedLinks');
    expect((await local.get()).savedLinks).toEqual({ [ORIGIN]: [link] });
  });

  test.each(['quarantined:nothing:1', 'nothing', '__proto__'])(
    'do not exist under the name %s',
    async (id) => {
      expect(await readQuarantined(id)).toBeNull();
      await deleteQuarantined(id);
    },
  );

  test('are the only stored values that can be read', async () => {
    await saveIssuedToken(ORIGIN, 'curt_good', false);
    expect(await readQuarantined('accountTokens')).toBeNull();
    await deleteQuarantined('accountTokens');
    expect(await accountTokens.read()).toEqual({ [ORIGIN]: 'curt_good' });
  });
});

test('erasing the data leaves the settings unchanged', async () => {
  await saveSettings({ serverOrigin: ORIGIN, copyFormat: 'markdown' });
  await saveIssuedToken(ORIGIN, 'curt_good', false);
  await saveIssuedToken(ORIGIN, 'curt_private', true);
  await local.set({ 'quarantined:accountTokens:1': {}, somethingElse: 1 });
  await eraseData();
  expect(await local.get()).toEqual({ settings: { serverOrigin: ORIGIN, copyFormat: 'markdown' } });
  expect(await fakeBrowser.storage.session.get()).toEqual({});
  expect(await readSettings()).toMatchObject({ serverOrigin: ORIGIN, copyFormat: 'markdown' });
});
