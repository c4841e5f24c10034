import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import {
  badge,
  fieldValue,
  fill,
  inWorker,
  keptLinks,
  menuEntries,
  notifications,
  openPopup,
  press,
  saveSettings,
  says,
  targetOf,
  useBench,
} from '../support/extension-bench.ts';

/** In the extension's own worker and pages, where the functions handed to `evaluate` run. */
declare const chrome: typeof import('wxt/browser').browser;

const WAIT_MS = 10_000;
const KEYS = { popup: 'Alt+Shift+U', atOnce: 'Alt+Shift+Y', withOptions: 'Alt+Shift+O' };

const bench = useBench();

/** Opens the popup by whatever `call` does. */
async function opened(call: () => Promise<void>) {
  const { browser } = bench.chromium;
  const before = new Set(browser.targets());
  await call();
  const target = await browser.waitForTarget(
    (one) => !before.has(one) && one.url().includes('/popup.html'),
    { timeout: WAIT_MS },
  );
  return target.asPage();
}

describe('the keys', () => {
  // Chromium leaves a command without keys where they are its own.
  test('are those that were suggested', async () => {
    const commands = await inWorker(bench, () => chrome.commands.getAll());
    expect(Object.fromEntries(commands.map(({ name, shortcut }) => [name, shortcut]))).toEqual({
      _execute_action: KEYS.popup,
      'shorten-at-once': KEYS.atOnce,
      'shorten-with-options': KEYS.withOptions,
    });
  });

  test('shorten and copy the page without the popup', async () => {
    await bench.chromium.writeClipboard('before');
    await bench.chromium.pressShortcut('shorten-at-once', bench.page);
    await expect.poll(() => notifications(bench)).toHaveLength(1);
    expect(await badge(bench)).toBe('✓');
    expect(await targetOf(await bench.chromium.readClipboard())).toBe(bench.page.url());
  });

  test.each([true, false])(
    'open the popup with its options and make nothing before (a click skips the popup: %s)',
    async (skipPopup) => {
      const settings = { serverOrigin: bench.server.baseUrl, shortenAtOnce: false };
      await saveSettings(bench, settings);
      // A person's keys grant the tab; here the button's click does, which makes nothing.
      await (await openPopup(bench)).close();
      await saveSettings(bench, { ...settings, shortenAtOnce: true, skipPopup });
      const popup = await opened(() =>
        bench.chromium.pressShortcut('shorten-with-options', bench.page),
      );
      await says(popup, 'Ready to shorten this page');
      expect(await fieldValue(popup, 'Title')).toBe(await bench.page.title());
      expect(await popup.evaluate(() => document.activeElement?.closest('form')?.className)).toBe(
        'form',
      );
      expect(await keptLinks(bench)).toEqual([]);
      const ending = `keys-${skipPopup}`;
      await fill(popup, 'Ending', ending);
      await press(popup, 'Make this link');
      await says(popup, 'Short link copied');
      expect(await targetOf(`${bench.server.baseUrl}/${ending}`)).toBe(bench.page.url());
      await expect
        .poll(() => inWorker(bench, () => chrome.action.getPopup({})))
        .toMatch(skipPopup ? /^$/ : /\/popup\.html$/);
      await saveSettings(bench, settings);
      await inWorker(bench, () => chrome.action.setPopup({ popup: 'popup.html' }));
    },
  );
});

test('the button’s own menu opens the popup with its options', async () => {
  expect(await menuEntries(bench, ['open-with-options'])).toHaveLength(1);
  const popup = await opened(() =>
    bench.chromium.clickContextMenu({ menuItemId: 'open-with-options' }, bench.page),
  );
  expect(popup.url()).toMatch(/#options$/);
  await popup.close();
});

test('the settings show the keys and lead to the browser’s page that changes them', async () => {
  const options = await bench.chromium.openExtensionPage('options.html');
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
  const target = await bench.chromium.browser.waitForTarget(
    (one) => one.url() === 'chrome://extensions/shortcuts',
    { timeout: WAIT_MS },
  );
  await (await target.asPage()).close();
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
