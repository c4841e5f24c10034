import { describe, expect, test } from 'vitest';
import {
  expectStatus,
  fillUrl,
  labels,
  openPopup,
  press,
  recordNotifications,
  savedLinks,
  saveSettings,
  shownLink,
  targetOf,
  useFixture,
} from '../../support/extension/extension-fixture.ts';

const FULL = '?utm_source=news&q=a+b%20c&fbclid=x&z';
const CLEAN = '?q=a+b%20c&z';

const fixture = useFixture();

const expectChange = (popup: Awaited<ReturnType<typeof openPopup>>, words: string) =>
  expect.poll(() => popup.$eval('.url-change', ({ textContent }) => textContent)).toContain(words);

describe('a link that a mail filter wrapped', () => {
  const INNER = 'https://example.com/offer?a=1&b=c%20d';
  const WRAPPED = `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(
    `${INNER}&utm_source=mail`,
  )}&data=05%7C02%7Creader%40example.org%7C&reserved=0`;

  test('is unwrapped, without its tracking parameters, and the popup can undo that after a question', async () => {
    const popup = await openPopup(fixture);
    await shownLink(popup, 'Short link copied');
    await fillUrl(popup, WRAPPED);
    await press(popup, 'Shorten this URL');
    await popup.waitForSelector('.url-change');
    const shortUrl = await shownLink(popup, 'Short link copied');
    expect(await targetOf(shortUrl)).toBe(INNER);
    await expectChange(popup, 'safelinks.protection.outlook.com');
    await expectChange(popup, 'utm_source');
    await press(popup, 'Use the full URL');
    // It has the address of the reader.
    await expectStatus(popup, 'This URL may contain a secret');
    await press(popup, 'Shorten anyway');
    await popup.waitForFunction(() => !document.querySelector('.url-change'));
    const full = await shownLink(popup, 'Short link copied');
    expect(await targetOf(full)).toBe(WRAPPED);
  });

  test('is unwrapped in the menu of links', async () => {
    await fixture.chromium.writeClipboard('before');
    const linkUrl = `https://www.google.com/url?q=${encodeURIComponent(INNER)}&sa=D`;
    await fixture.chromium.clickContextMenu({ menuItemId: 'shorten-link', linkUrl }, fixture.page);
    await expect.poll(() => fixture.chromium.readClipboard()).not.toBe('before');
    expect(await targetOf(await fixture.chromium.readClipboard())).toBe(INNER);
  });
});

describe('tracking parameters', () => {
  test('are removed from the link, and the popup shows and can undo that', async () => {
    const plain = fixture.page.url();
    await fixture.page.goto(`${plain}${FULL}#part`);
    const popup = await openPopup(fixture);
    const clean = await shownLink(popup, 'Short link copied');
    expect(await targetOf(clean)).toBe(`${plain}${CLEAN}#part`);
    await expectChange(popup, '2 tracking parameters removed');
    await expectChange(popup, 'utm_source and fbclid');

    await press(popup, 'Use the full URL');
    await popup.waitForFunction(() => !document.querySelector('.url-change'));
    const full = await shownLink(popup, 'Short link copied');
    expect(await targetOf(full)).toBe(`${plain}${FULL}#part`);
    expect(await fixture.chromium.readClipboard()).toBe(full);
  });

  test('don’t keep the popup from finding the page’s link', async () => {
    const plain = fixture.page.url();
    const first = await openPopup(fixture);
    const made = await shownLink(first, 'Short link copied');
    await first.close();
    await fixture.page.goto(`${plain}?fbclid=x`);
    expect(await shownLink(await openPopup(fixture), 'Already shortened, link copied')).toBe(made);
  });

  test('are removed from a pasted URL', async () => {
    const popup = await openPopup(fixture);
    await shownLink(popup, 'Short link copied');
    await fillUrl(popup, 'example.com/pasted?utm_id=1');
    await press(popup, 'Shorten this URL');
    await popup.waitForSelector('.url-change');
    const shortUrl = await shownLink(popup, 'Short link copied');
    expect(await targetOf(shortUrl)).toBe('https://example.com/pasted');
  });

  test('can be restored before the link is created, if the options come first', async () => {
    await saveSettings(fixture, { serverOrigin: fixture.server.baseUrl, optionsFirst: true });
    const plain = fixture.page.url();
    await fixture.page.goto(`${plain}?fbclid=x`);
    const popup = await openPopup(fixture);
    await press(popup, 'Use the full URL');
    await popup.waitForFunction(() => !document.querySelector('.url-change'));
    expect(await savedLinks(fixture)).toEqual([]);
    await press(popup, 'Shorten');
    expect(await targetOf(await shownLink(popup, 'Short link copied'))).toBe(`${plain}?fbclid=x`);
  });

  test.each([
    [
      'the menu',
      () =>
        fixture.chromium.clickContextMenu(
          { menuItemId: 'shorten-link', linkUrl: 'https://example.com/x?gclid=1&a' },
          fixture.page,
        ),
    ],
    [
      'the address bar',
      () => fixture.chromium.enterInOmnibox('example.com/x?gclid=1&a', fixture.page),
    ],
  ])('are also removed by %s, and the notification says so', async (_, act) => {
    await fixture.chromium.writeClipboard('before');
    const notificationTexts = await recordNotifications(fixture);
    await act();
    await expect
      .poll(notificationTexts)
      .toEqual([expect.stringContaining('1 tracking parameter removed')]);
    expect(await targetOf(await fixture.chromium.readClipboard())).toBe('https://example.com/x?a');
  });

  test('are kept if the setting is off', async () => {
    await saveSettings(fixture, { serverOrigin: fixture.server.baseUrl, stripTracking: false });
    await fixture.page.goto(`${fixture.page.url()}${FULL}`);
    const popup = await openPopup(fixture);
    const shortUrl = await shownLink(popup, 'Short link copied');
    expect(await targetOf(shortUrl)).toBe(fixture.page.url());
    expect(await labels(popup)).not.toContain('Use the full URL');
  });
});
