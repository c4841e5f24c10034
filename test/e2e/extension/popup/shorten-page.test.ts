import { create } from 'qrcode';
import { describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import { findViolations } from '../../support/checks/accessibility.ts';
import {
  accountAt,
  expectStatus,
  notifications,
  openPopup,
  press,
  recordNotifications,
  savedLinks,
  saveSettings,
  shownLink,
  stored,
  targetOf,
  useFixture,
} from '../../support/extension/extension-fixture.ts';
import { savedLink, saveLinks } from '../../support/extension/links-page.ts';
import { startHoldingProxy } from '../../support/servers/holding-proxy.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

const fixture = useFixture();

describe('a click on the toolbar button', () => {
  test('shows and copies a short link that leads to the page, and saves the token', async () => {
    const popup = await openPopup(fixture);
    const shortUrl = await shownLink(popup, 'Short link copied');
    expect(await fixture.chromium.readClipboard()).toBe(shortUrl);
    expect(await targetOf(shortUrl)).toBe(fixture.page.url());

    const { accountTokens } = await stored(fixture);
    expect(Object.keys(accountTokens)).toEqual([fixture.server.baseUrl]);
    expect(accountTokens[fixture.server.baseUrl]).toMatch(/^curt_/);

    const visitor = await fixture.chromium.openPage(shortUrl);
    expect(visitor.url()).toBe(fixture.page.url());
    await visitor.close();
  });

  test('shows the page’s existing link until another is requested', async () => {
    const first = await openPopup(fixture);
    const made = await shownLink(first, 'Short link copied');
    await first.close();
    await fixture.chromium.writeClipboard('something else');

    const second = await openPopup(fixture);
    expect(await shownLink(second, 'Already shortened, link copied')).toBe(made);
    await press(second, 'Create another');
    const another = await shownLink(second, 'Short link copied');
    expect(another).not.toBe(made);
    expect(await targetOf(another)).toBe(fixture.page.url());
    expect(await fixture.chromium.readClipboard()).toBe(another);
  });

  test('uses one account for all links', async () => {
    await shownLink(await openPopup(fixture), 'Short link copied');
    const before = (await stored(fixture)).accountTokens;
    await fixture.page.goto(`${fixture.page.url()}-more`);
    await shownLink(await openPopup(fixture), 'Short link copied');
    expect((await stored(fixture)).accountTokens).toEqual(before);
    expect((await accountAt(fixture)).links).toBe(2);
  });

  test('shows once that links of a localhost server only work on this computer', async () => {
    const news = 'Your server runs on this computer, so its links only work here.';
    const first = await openPopup(fixture);
    await shownLink(first, 'Short link copied');
    await expect
      .poll(async () => (await first.$eval('body', (body) => body.innerText)).split(news))
      .toHaveLength(2);
    await first.close();
    const second = await openPopup(fixture);
    await shownLink(second, 'Already shortened, link copied');
    expect(await second.$eval('body', (body) => body.innerText)).not.toContain(news);
  });

  test('waits for the options and copies nothing if the settings say so', async () => {
    await saveSettings(fixture, {
      serverOrigin: fixture.server.baseUrl,
      optionsFirst: true,
      copyAtOnce: false,
    });
    await fixture.chromium.writeClipboard('untouched');
    const popup = await openPopup(fixture);
    await expectStatus(popup, 'Ready to shorten this page');
    expect(await savedLinks(fixture)).toEqual([]);
    await press(popup, 'Shorten');
    const shortUrl = await shownLink(popup, 'Short link created');
    await press(popup, 'Copy');
    await expectStatus(popup, 'Short link copied');
    expect(await fixture.chromium.readClipboard()).toBe(shortUrl);
  });

  test('draws a QR code of the short link in the popup', async () => {
    const popup = await openPopup(fixture);
    const shortUrl = await shownLink(popup, 'Short link copied');
    await press(popup, 'QR code');
    const code = await popup.waitForSelector(`svg[aria-label="QR code for ${shortUrl}"]`);
    await popup.waitForFunction(
      (svg) => svg?.querySelector('.qr-dark')?.getAttribute('d'),
      {},
      code,
    );
    // Its styles load with it: without them it would be as wide as the popup.
    expect(await popup.$eval('.qr', (svg) => svg.getBoundingClientRect().width)).toBe(224);
    expect(await popup.$eval('.qr-dark', (path) => path.getAttribute('d'))).toBe(qrPath(shortUrl));
  });

  test('opens the short link in a tab', async () => {
    const popup = await openPopup(fixture);
    await shownLink(popup, 'Short link copied');
    const opened = fixture.chromium.browser.waitForTarget(
      (target) => target.url() === fixture.page.url() && target !== fixture.page.target(),
    );
    await press(popup, 'Open');
    await (await (await opened).asPage()).close();
  });

  test('keeps the popup’s height while it works', async () => {
    const slow = await startHoldingProxy(fixture.server.baseUrl);
    try {
      await saveSettings(fixture, { serverOrigin: slow.origin });
      const popup = await openPopup(fixture);
      await expectStatus(popup, 'Shortening…');
      const rowOf = () => popup.$eval('.url-form', (row) => row.getBoundingClientRect().top);
      const before = await rowOf();
      slow.release();
      await shownLink(popup, 'Short link copied');
      expect(await rowOf()).toBe(before);
    } finally {
      await slow.stop();
    }
  });

  test('whose popup closes before the response still copies the link and notifies', async () => {
    const slow = await startHoldingProxy(fixture.server.baseUrl);
    try {
      await saveSettings(fixture, { serverOrigin: slow.origin });
      await fixture.chromium.writeClipboard('before');
      const popup = await openPopup(fixture);
      await slow.asked;
      await popup.close();
      const texts = await recordNotifications(fixture);
      slow.release();
      // A popup of an earlier test may still notify.
      await expect.poll(() => fixture.chromium.readClipboard()).not.toBe('before');
      const copied = await fixture.chromium.readClipboard();
      expect(await targetOf(copied)).toBe(fixture.page.url());
      await expect.poll(texts).toContain(`Curt: Short link copied\n${copied}`);
    } finally {
      await slow.stop();
    }
  });

  test('notifies even if another popup stays open', async () => {
    const slow = await startHoldingProxy(fixture.server.baseUrl);
    const other = await fixture.chromium.openExtensionPage('popup.html#options');
    await other.waitForSelector('form');
    try {
      await saveSettings(fixture, { serverOrigin: slow.origin });
      const popup = await openPopup(fixture);
      await slow.asked;
      await popup.close();
      slow.release();
      await expect.poll(() => notifications(fixture)).toHaveLength(1);
    } finally {
      await other.close();
      await slow.stop();
    }
  });

  test('creates one link even if the background stops while it waits for the response', async () => {
    const slow = await startHoldingProxy(fixture.server.baseUrl);
    try {
      await saveSettings(fixture, { serverOrigin: slow.origin });
      const popup = await openPopup(fixture);
      await slow.asked;
      expect(await pendingRequests()).toBe(1);
      await fixture.chromium.worker.stop();
      slow.release();
      const shortUrl = await shownLink(popup, 'Short link copied');
      expect(await targetOf(shortUrl)).toBe(fixture.page.url());
      expect((await accountAt(fixture, slow.origin)).links).toBe(1);
      // If the new background sends the request before the popup repeats its message, it also notifies.
      await expect.poll(pendingRequests).toBe(0);
    } finally {
      await slow.stop();
    }
  });
});

/** How many incomplete requests the extension has saved. */
async function pendingRequests(): Promise<number> {
  const { pendingRequests = {} } = (await stored(fixture)) as { pendingRequests?: object };
  return Object.keys(pendingRequests).length;
}

/** The dark modules of a QR code: one path with a square for each. */
function qrPath(text: string): string {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const squares = Array.from(modules.data, (dark, index) => {
    const [row, column] = [Math.floor(index / modules.size), index % modules.size];
    return dark ? `M${column + 4} ${row + 4}h1v1h-1z` : '';
  });
  return squares.join('');
}

test('a link with options is offered, and never copied in place of a plain one', async () => {
  const locked = savedLink('locked', { originalUrl: fixture.page.url(), hasPassword: true });
  await saveLinks(fixture, [locked]);
  const popup = await openPopup(fixture);
  const made = await shownLink(popup, 'Short link copied');
  expect(await targetOf(made)).toBe(fixture.page.url());
  expect(await popup.$eval('.other-links summary', (summary) => summary.textContent)).toBe(
    '1 other link for this page',
  );
  await popup.click('.other-links summary');
  expect(await findViolations(popup)).toEqual([]);
  await press(popup, locked.shortUrl.replace('https://', ''));
  await expectStatus(popup, 'Already shortened, link copied');
  expect(await fixture.chromium.readClipboard()).toBe(locked.shortUrl);
});
