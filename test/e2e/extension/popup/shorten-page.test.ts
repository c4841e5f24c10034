import { describe, expect, test } from 'vitest';
import { findViolations } from '../../support/checks/accessibility.ts';
import {
  expectStatus,
  notifications,
  openPopup,
  press,
  pressToLeave,
  recordNotifications,
  savedLinks,
  saveSettings,
  shownLink,
  stored,
  targetOf,
  useFixture,
  useSlowServer,
} from '../../support/extension/extension-fixture.ts';
import { savedLink, saveLinks } from '../../support/extension/links-page.ts';

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
    await second.waitForSelector('footer');
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

  test('opens the short link in a tab', async () => {
    const popup = await openPopup(fixture);
    await shownLink(popup, 'Short link copied');
    const opened = fixture.chromium.findPage(
      (target) => target.url() === fixture.page.url() && target !== fixture.page.target(),
    );
    await pressToLeave(popup, 'Open');
    await (await opened).close();
  });

  test('whose popup closes before the response still copies the link and notifies', async () => {
    const slow = await useSlowServer(fixture);
    await fixture.chromium.writeClipboard('before');
    const popup = await openPopup(fixture);
    await slow.isAsked();
    await popup.close();
    const texts = await recordNotifications(fixture);
    slow.release();
    // A popup of an earlier test may still notify.
    await expect.poll(() => fixture.chromium.readClipboard()).not.toBe('before');
    const copied = await fixture.chromium.readClipboard();
    expect(await targetOf(copied)).toBe(fixture.page.url());
    await expect.poll(texts).toContain(`Curt: Short link copied\n${copied}`);
  });

  test('notifies even if another popup stays open', async () => {
    const slow = await useSlowServer(fixture);
    const other = await fixture.chromium.openExtensionPage('popup.html#options');
    await other.waitForSelector('form');
    const popup = await openPopup(fixture);
    await slow.isAsked();
    await popup.close();
    slow.release();
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
  });
});

test('a link with options is offered, and never copied in place of a plain one', async () => {
  const locked = savedLink('locked', { originalUrl: fixture.page.url(), hasPassword: true });
  await saveLinks(fixture, [locked]);
  const popup = await openPopup(fixture);
  const made = await shownLink(popup, 'Short link copied');
  expect(await targetOf(made)).toBe(fixture.page.url());
  const summary = () => popup.$eval('.other-links summary', ({ textContent }) => textContent);
  await expect.poll(summary).toBe('1 other link for this page');
  await popup.locator('.other-links summary').click();
  expect(await findViolations(popup)).toEqual([]);
  await press(popup, locked.shortUrl.replace('https://', ''));
  await expectStatus(popup, 'Already shortened, link copied');
  expect(await fixture.chromium.readClipboard()).toBe(locked.shortUrl);
});
