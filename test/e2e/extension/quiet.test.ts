import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountAt,
  badge,
  inWorker,
  notifications,
  openPopup,
  saveSettings,
  shownLink,
  targetOf,
  useBench,
} from '../support/extension-bench.ts';
import { startHoldingProxy } from '../support/holding-proxy.ts';

/** In the extension's own worker and pages, where the functions handed to `evaluate` run. */
declare const chrome: typeof import('wxt/browser').browser;

const bench = useBench();

/** The popup that a click would open; empty for none. */
const buttonsPopup = () => inWorker(bench, () => chrome.action.getPopup({}));
const isPopupOpen = () =>
  bench.chromium.browser.targets().some((target) => target.url().includes('/popup.html'));
const toldOf = () => expect.poll(() => notifications(bench)).toHaveLength(1);

describe('one click without the popup', () => {
  beforeEach(async () => {
    await saveSettings(bench, { serverOrigin: bench.server.baseUrl, skipPopup: true });
    await startWorkerAnew();
    // What the background before had still to tell.
    await notifications(bench);
    await expect.poll(buttonsPopup).toBe('');
    await bench.chromium.writeClipboard('before');
  });

  test('shortens the page, copies the link and tells', async () => {
    await bench.chromium.clickQuietToolbarButton(bench.page);
    await toldOf();
    expect(await badge(bench)).toBe('✓');
    expect(isPopupOpen()).toBe(false);
    expect(await targetOf(await bench.chromium.readClipboard())).toBe(bench.page.url());
  });

  test('copies in the format that was chosen', async () => {
    await saveSettings(bench, {
      serverOrigin: bench.server.baseUrl,
      skipPopup: true,
      copyFormat: 'title_and_url',
    });
    await bench.chromium.clickQuietToolbarButton(bench.page);
    await toldOf();
    const title = await bench.page.title();
    expect(await bench.chromium.readClipboard()).toMatch(new RegExp(`^${title} – http://`));
  });

  test('wakes a background that was stopped', async () => {
    await bench.chromium.worker.stop();
    await bench.chromium.clickQuietToolbarButton(bench.page);
    await toldOf();
    expect(await targetOf(await bench.chromium.readClipboard())).toBe(bench.page.url());
  });

  test('shows that it is at work, and two clicks make one link', async () => {
    const slow = await startHoldingProxy(bench.server.baseUrl);
    try {
      await saveSettings(bench, { serverOrigin: slow.origin, skipPopup: true });
      await bench.chromium.clickQuietToolbarButton(bench.page);
      await slow.asked;
      expect(await badge(bench)).toBe('…');
      await bench.chromium.clickQuietToolbarButton(bench.page);
      slow.release();
      await expect.poll(() => badge(bench)).toBe('✓');
      expect((await accountAt(bench, slow.origin)).links).toBe(1);
    } finally {
      await slow.stop();
    }
  });

  test('finds the link again that the page has', async () => {
    await bench.chromium.clickQuietToolbarButton(bench.page);
    await toldOf();
    const made = await bench.chromium.readClipboard();
    await bench.chromium.writeClipboard('before');
    await bench.chromium.clickQuietToolbarButton(bench.page);
    await toldOf();
    expect(await bench.chromium.readClipboard()).toBe(made);
  });

  test('on a page that cannot be shortened says so and leaves the clipboard', async () => {
    await bench.page.goto('chrome://version/');
    await bench.chromium.clickQuietToolbarButton(bench.page);
    await toldOf();
    expect(await badge(bench)).toBe('!');
    expect(await bench.chromium.readClipboard()).toBe('before');
  });

  test('is restored when the browser starts', async () => {
    expect(await inWorker(bench, () => chrome.runtime.onStartup.hasListeners())).toBe(true);
  });
});

test('the setting takes the popup away and gives it back at once', async () => {
  const options = await bench.chromium.openExtensionPage('options.html');
  await options.waitForSelector('[name=skipPopup]');
  await options.click('[name=skipPopup]');
  await expect.poll(buttonsPopup).toBe('');
  await options.click('[name=skipPopup]');
  await expect.poll(buttonsPopup).toContain('popup.html');
  await options.close();
  await shownLink(await openPopup(bench), 'Short link copied');
});

/** Puts the button's popup back as a new start of the browser does, and starts the background. */
async function startWorkerAnew(): Promise<void> {
  await inWorker(bench, () => chrome.action.setPopup({ popup: 'popup.html' }));
  await bench.chromium.worker.stop();
  const page = await bench.chromium.openExtensionPage('options.html');
  await page.waitForSelector('main');
  await page.close();
}
