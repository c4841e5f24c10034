import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { saveIssuedToken } from '../../../../extension/background/account/tokens.ts';
import { saveSettings } from '../../../../extension/background/data/settings.ts';
import { welcomeOnInstall } from '../../../../extension/background/onboarding.ts';

const ORIGIN = 'https://one.example';

beforeEach(() => {
  fakeBrowser.reset();
  welcomeOnInstall();
});

async function installed(reason: 'install' | 'update' | 'chrome_update'): Promise<string[]> {
  const before = new Set((await fakeBrowser.tabs.query({})).map(({ id }) => id));
  await fakeBrowser.runtime.onInstalled.trigger({ reason } as Parameters<
    typeof fakeBrowser.runtime.onInstalled.trigger
  >[0]);
  const tabs = await fakeBrowser.tabs.query({});
  return tabs.filter(({ id }) => !before.has(id)).map(({ url }) => url ?? '');
}

test('installing opens the welcome page', async () => {
  expect(await installed('install')).toEqual([expect.stringMatching(/\/welcome\.html$/)]);
});

test.each(['update', 'chrome_update'] as const)('%s opens nothing', async (reason) => {
  expect(await installed(reason)).toEqual([]);
});

test('installing with existing settings or accounts opens nothing', async () => {
  await saveSettings({ skipPopup: true });
  expect(await installed('install')).toEqual([]);
  await fakeBrowser.storage.local.clear();
  await saveIssuedToken(ORIGIN, 'curt_token', false);
  expect(await installed('install')).toEqual([]);
});
