import type { Page } from 'puppeteer-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import {
  expectStatus,
  inWorker,
  notifications,
  openForm,
  openPopup,
  press,
  saveSettings,
  shownLink,
  stored,
  targetOf,
  useFixture,
} from '../../support/extension/extension-fixture.ts';
import { expectText, openLinks } from '../../support/extension/links-page.ts';
import { freePort } from '../../support/servers/free-port.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

const fixture = useFixture({ isInPrivateWindows: true });
let settings: object;

/** Moves the fixture's page into a private window. */
beforeEach(async () => {
  settings = { serverOrigin: fixture.server.baseUrl };
  const url = fixture.page.url();
  await fixture.page.close();
  const opened = fixture.chromium.findPage((one) => one.url() === url);
  const window = await inWorker(
    fixture,
    (shown) => chrome.windows.create({ incognito: true, url: shown }),
    url,
  );
  expect(window?.incognito).toBe(true);
  fixture.page = await opened;
  await fixture.page.waitForSelector('#next');
});

/** Only the settings may be stored on disk. */
afterEach(async () => {
  expect(await stored(fixture)).toEqual({ settings });
  const links = await openLinks(fixture);
  await expectText(links, 'No links yet');
  await links.close();
});

test('a link of a private window is created, copied and found again there, and stored nowhere else', async () => {
  const first = await openPopup(fixture);
  const shortUrl = await shownLink(first, 'Short link copied');
  expect(await targetOf(shortUrl)).toBe(fixture.page.url());
  await expectText(first, 'In a private or Incognito window, Curt doesn’t keep links');
  expect(await first.$$('.disclosure, .alias, .status-line button')).toEqual([]);
  await first.close();
  const second = await openPopup(fixture);
  expect(await shownLink(second, 'Already shortened, link copied')).toBe(shortUrl);
  await second.close();
  expect(await fixture.chromium.readClipboard()).toBe(shortUrl);

  const url = fixture.page.url();
  const elsewhere = await fixture.chromium.openPage(url);
  const open = await fixture.chromium.clickToolbarButton(elsewhere);
  // The normal window doesn't know the private link or its account.
  expect(await shownLink(open, 'Short link copied')).not.toBe(shortUrl);
  await closeAll(open, elsewhere);
  await inWorker(fixture, () => chrome.storage.local.clear());
  await saveSettings(fixture, settings);
});

test('the form of a private window saves nothing that is entered', async () => {
  settings = { ...settings, optionsFirst: true };
  const popup = await openForm(fixture);
  await popup.type('.prefixed .input', 'in-private');
  await press(popup, 'Shorten');
  await popup.waitForFunction(() =>
    document.querySelector('output')?.textContent?.endsWith('/in-private'),
  );
  await popup.close();
});

test('a link from a private window’s context menu is copied and stored nowhere', async () => {
  await fixture.chromium.writeClipboard('before');
  const linkUrl = 'https://example.com/linked-in-private';
  await fixture.chromium.clickContextMenu({ menuItemId: 'shorten-link', linkUrl }, fixture.page);
  await expect.poll(() => notifications(fixture)).toHaveLength(1);
  await expect.poll(() => fixture.chromium.readClipboard()).not.toBe('before');
  expect(await targetOf(await fixture.chromium.readClipboard())).toBe(linkUrl);
});

test('a private window’s request for an unreachable server is queued in memory only', async () => {
  settings = { serverOrigin: `http://localhost:${await freePort()}` };
  await saveSettings(fixture, settings);
  const popup = await openPopup(fixture);
  await expectStatus(popup, 'No server is responding yet');
  await popup.close();
  const session = await inWorker(fixture, () => chrome.storage.session.get());
  expect(JSON.stringify(session)).toContain(fixture.page.url());
});

async function closeAll(...pages: Page[]): Promise<void> {
  for (const page of pages) await page.close();
}
