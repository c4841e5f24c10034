import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { findViolations } from '../../support/checks/accessibility.ts';
import { nameOfFocused } from '../../support/checks/walk-by-keyboard.ts';
import {
  badge,
  expectStatus,
  fieldValue,
  fill,
  inWorker,
  menuEntries,
  notifications,
  openPopup,
  press,
  savedLinks,
  saveSettings,
  targetOf,
  useFixture,
} from '../../support/extension/extension-fixture.ts';

/** In the extension's own worker and pages, where the functions handed to `evaluate` run. */
declare const chrome: typeof import('wxt/browser').browser;

const KEYS = { popup: 'Alt+Shift+U', atOnce: 'Alt+Shift+Y', withOptions: 'Alt+Shift+O' };

const fixture = useFixture();

/** Opens the popup with `call`. */
async function opened(call: () => Promise<void>) {
  const { browser, findPage } = fixture.chromium;
  const before = new Set(browser.targets());
  await call();
  return findPage((one) => !before.has(one) && one.url().includes('/popup.html'));
}

describe('the keyboard shortcuts', () => {
  // Chromium assigns no keys that it uses itself.
  test('are the suggested ones', async () => {
    const commands = await inWorker(fixture, () => chrome.commands.getAll());
    expect(Object.fromEntries(commands.map(({ name, shortcut }) => [name, shortcut]))).toEqual({
      _execute_action: KEYS.popup,
      'shorten-at-once': KEYS.atOnce,
      'shorten-with-options': KEYS.withOptions,
    });
  });

  test('shorten and copy the page without the popup', async () => {
    await fixture.chromium.writeClipboard('before');
    await fixture.chromium.pressShortcut('shorten-at-once', fixture.page);
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
    expect(await badge(fixture)).toBe('✓');
    expect(await targetOf(await fixture.chromium.readClipboard())).toBe(fixture.page.url());
  });

  test.each([true, false])(
    'open the popup with its options and make nothing before (a click skips the popup: %s)',
    async (skipPopup) => {
      const settings = { serverOrigin: fixture.server.baseUrl, optionsFirst: true };
      await saveSettings(fixture, settings);
      // Real key presses grant activeTab. Here a click on the button does, which creates nothing.
      const clicked = await openPopup(fixture);
      // Before that, the background may read the settings that are saved below.
      await expectStatus(clicked, 'Ready to shorten this page');
      await clicked.close();
      await saveSettings(fixture, { ...settings, optionsFirst: false, skipPopup });
      const popup = await opened(() =>
        fixture.chromium.pressShortcut('shorten-with-options', fixture.page),
      );
      await expectStatus(popup, 'Ready to shorten this page');
      const title = await fixture.page.title();
      await expect.poll(() => fieldValue(popup, 'Private title')).toBe(title);
      await expect.poll(() => nameOfFocused(popup)).toBe('Custom alias');
      expect(await savedLinks(fixture)).toEqual([]);
      const alias = `keys-${skipPopup}`;
      await fill(popup, 'Custom alias', alias);
      await press(popup, 'Shorten');
      await expectStatus(popup, 'Short link copied');
      expect(await targetOf(`${fixture.server.baseUrl}/${alias}`)).toBe(fixture.page.url());
      await expect
        .poll(() => inWorker(fixture, () => chrome.action.getPopup({})))
        .toMatch(skipPopup ? /^$/ : /\/popup\.html$/);
      await saveSettings(fixture, settings);
      await inWorker(fixture, () => chrome.action.setPopup({ popup: 'popup.html' }));
    },
  );
});

test('the toolbar button’s menu opens the popup with its options', async () => {
  await expect.poll(() => menuEntries(fixture, ['open-with-options'])).toHaveLength(1);
  const popup = await opened(() =>
    fixture.chromium.clickContextMenu({ menuItemId: 'open-with-options' }, fixture.page),
  );
  await expect.poll(() => popup.url()).toMatch(/#options$/);
  await popup.close();
});

test('the settings show the shortcuts and link to the browser’s page for changing them', async () => {
  const options = await fixture.chromium.openExtensionPage('options.html');
  await expect
    .poll(() => shownKeys(options))
    .toEqual([
      ['Shorten this page', KEYS.popup],
      ['Shorten and copy, without the popup', KEYS.atOnce],
      ['Shorten with options', KEYS.withOptions],
    ]);
  await options.evaluate(() => {
    const { getAll } = chrome.commands;
    chrome.commands.getAll = async () =>
      (await getAll()).map((command) => ({ ...command, shortcut: '' }));
    dispatchEvent(new Event('focus'));
  });
  await expect
    .poll(async () => (await shownKeys(options)).map(([, keys]) => keys))
    .toEqual(['none', 'none', 'none']);
  expect(await findViolations(options)).toEqual([]);
  await press(options, 'Change shortcuts');
  const shortcuts = await fixture.chromium.findPage(
    (one) => one.url() === 'chrome://extensions/shortcuts',
  );
  await shortcuts.close();
  await options.close();
});

function shownKeys(options: Page): Promise<string[][]> {
  return options.$$eval('.shortcut', (rows) =>
    rows.map((row) => [
      row.querySelector('dt')?.textContent ?? '',
      row.querySelector('dd')?.textContent ?? '',
    ]),
  );
}
