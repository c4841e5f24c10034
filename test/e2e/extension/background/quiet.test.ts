import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountAt,
  badge,
  clickOn,
  inWorker,
  keepBadge,
  notifications,
  openPopup,
  saveSettings,
  shownLink,
  targetOf,
  useFixture,
  useSlowServer,
  wakeWorker,
} from '../../support/extension/extension-fixture.ts';

/** In the extension's own worker and pages, where the functions handed to `evaluate` run. */
declare const chrome: typeof import('wxt/browser').browser;

const fixture = useFixture();

/** The popup that a click opens; empty for none. */
const buttonsPopup = () => inWorker(fixture, () => chrome.action.getPopup({}));
const isPopupOpen = () =>
  fixture.chromium.browser.targets().some((target) => target.url().includes('/popup.html'));
const notifiedOf = () => expect.poll(() => notifications(fixture)).toHaveLength(1);

describe('one-click mode, without the popup', () => {
  beforeEach(async () => {
    await saveSettings(fixture, { serverOrigin: fixture.server.baseUrl, skipPopup: true });
    await startWorkerAnew();
    await keepBadge(fixture);
    // Pending notifications of the previous background.
    await notifications(fixture);
    await expect.poll(buttonsPopup).toBe('');
    await fixture.chromium.writeClipboard('before');
  });

  test('shortens the page, copies the link and notifies', async () => {
    await fixture.chromium.clickQuietToolbarButton(fixture.page);
    await notifiedOf();
    expect(await badge(fixture)).toBe('✓');
    expect(isPopupOpen()).toBe(false);
    expect(await targetOf(await fixture.chromium.readClipboard())).toBe(fixture.page.url());
  });

  test('copies in the chosen format', async () => {
    await saveSettings(fixture, {
      serverOrigin: fixture.server.baseUrl,
      skipPopup: true,
      copyFormat: 'title_and_url',
    });
    await fixture.chromium.clickQuietToolbarButton(fixture.page);
    await notifiedOf();
    const title = await fixture.page.title();
    expect(await fixture.chromium.readClipboard()).toMatch(new RegExp(`^${title} – http://`));
  });

  test('wakes a stopped background', async () => {
    await fixture.chromium.worker.stop();
    await fixture.chromium.clickQuietToolbarButton(fixture.page);
    await notifiedOf();
    expect(await targetOf(await fixture.chromium.readClipboard())).toBe(fixture.page.url());
  });

  test('shows progress, and two clicks create one link', async () => {
    const slow = await useSlowServer(fixture, { skipPopup: true });
    await fixture.chromium.clickQuietToolbarButton(fixture.page);
    await slow.isAsked();
    expect(await badge(fixture)).toBe('…');
    await fixture.chromium.clickQuietToolbarButton(fixture.page);
    slow.release();
    await expect.poll(() => badge(fixture)).toBe('✓');
    expect((await accountAt(fixture, slow.origin)).links).toBe(1);
  });

  test('reuses the page’s link', async () => {
    await fixture.chromium.clickQuietToolbarButton(fixture.page);
    await notifiedOf();
    const made = await fixture.chromium.readClipboard();
    await fixture.chromium.writeClipboard('before');
    await fixture.chromium.clickQuietToolbarButton(fixture.page);
    await notifiedOf();
    expect(await fixture.chromium.readClipboard()).toBe(made);
  });

  test('on a page that can’t be shortened notifies and leaves the clipboard alone', async () => {
    await fixture.page.goto('chrome://version/');
    await fixture.chromium.clickQuietToolbarButton(fixture.page);
    await notifiedOf();
    expect(await badge(fixture)).toBe('!');
    expect(await fixture.chromium.readClipboard()).toBe('before');
  });

  test('is restored when the browser starts', async () => {
    expect(await inWorker(fixture, () => chrome.runtime.onStartup.hasListeners())).toBe(true);
  });
});

test('the setting turns the popup off and on at once', async () => {
  await inWorker(fixture, () => chrome.action.setPopup({ popup: 'popup.html' }));
  const options = await fixture.chromium.openExtensionPage('options.html');
  await clickOn(options, '[name=skipPopup]');
  await expect.poll(buttonsPopup).toBe('');
  await clickOn(options, '[name=skipPopup]');
  await expect.poll(buttonsPopup).toContain('popup.html');
  await options.close();
  await shownLink(await openPopup(fixture), 'Short link copied');
});

/** Resets the button's popup as a browser start does, and starts the background. */
async function startWorkerAnew(): Promise<void> {
  await inWorker(fixture, () => chrome.action.setPopup({ popup: 'popup.html' }));
  await fixture.chromium.worker.stop();
  await wakeWorker(fixture);
}
