import { describe, expect, test } from 'vitest';
import { pasteInto } from '../../support/browser/clipboard.ts';
import {
  expectStatus,
  fieldValue,
  fill,
  fillUrl,
  issueOf,
  openPopup,
  openUrlField,
  press,
  savedLinks,
  shownLink,
  targetOf,
  useFixture,
  useSlowServer,
} from '../../support/extension/extension-fixture.ts';

const FIELD = 'Shorten another URL';
/** On a page that can't be shortened. */
const ONLY_FIELD = 'Shorten a URL';

const fixture = useFixture();

describe('a URL entered in the popup', () => {
  test.each(['about:blank', 'chrome://version/'])(
    'is shortened on %s, where the field has the focus',
    async (address) => {
      await fixture.page.goto(address);
      const popup = await openPopup(fixture);
      await popup.waitForFunction(
        (words) =>
          (document.activeElement as HTMLInputElement)?.labels?.[0]?.textContent?.trim() === words,
        {},
        ONLY_FIELD,
      );
      await expect
        .poll(() => popup.$$eval('main .url-form, main .status', topToBottom))
        .toEqual(['url-form', 'status']);
      // This is no error.
      expect(await popup.$('main .icon-alert')).toBeNull();
      await popup.keyboard.type('  example.com/pasted ');
      await popup.keyboard.press('Enter');
      const shortUrl = await shownLink(popup, 'Short link copied');
      expect(await targetOf(shortUrl)).toBe('https://example.com/pasted');
      expect(await fixture.chromium.readClipboard()).toBe(shortUrl);
    },
  );

  test('is pasted from two lines as one', async () => {
    await fixture.page.goto('about:blank');
    await fixture.chromium.writeClipboard('https://example.com/very/\nlong/path');
    await fixture.page.bringToFront();
    const popup = await openPopup(fixture);
    await popup.waitForFunction(() => document.hasFocus());
    await popup.waitForSelector('.url-form input');
    await popup.focus('.url-form input');
    await pasteInto(popup);
    await popup.keyboard.press('Enter');
    const shortUrl = await shownLink(popup, 'Short link copied');
    expect(await targetOf(shortUrl)).toBe('https://example.com/very/long/path');
  });

  test('replaces the page, with its own options', async () => {
    const popup = await openPopup(fixture);
    await shownLink(popup, 'Short link copied');
    await fillUrl(popup, 'https://example.com/other');
    await press(popup, 'Shorten this URL');
    await popup.waitForFunction(
      () => document.querySelector('.target')?.textContent === 'Destination example.com/other',
    );
    await expectStatus(popup, 'Short link copied');
    // It is folded again.
    await popup.waitForSelector('.url-form input', { hidden: true });
    await press(popup, 'More');
    await expect.poll(() => fieldValue(popup, 'Private title')).toBe('');
    await fill(popup, 'Custom alias', 'written');
    await press(popup, 'Save');
    await popup.waitForFunction(() =>
      document.querySelector('output')?.textContent?.endsWith('/written'),
    );
    expect(await targetOf(`${fixture.server.baseUrl}/written`)).toBe('https://example.com/other');
  });

  test('that already has a link shows it', async () => {
    const first = await openPopup(fixture);
    const made = await shownLink(first, 'Short link copied');
    await first.close();
    const written = fixture.page.url();
    await fixture.page.goto('about:blank');
    const second = await openPopup(fixture);
    await fill(second, ONLY_FIELD, written);
    await press(second, 'Shorten this URL');
    expect(await shownLink(second, 'Already shortened, link copied')).toBe(made);
  });

  // Chromium's URL parser accepts a space in a host.
  test.each(['https://exa mple.com', ''])(
    '%j is rejected at the field, and the current view stays',
    async (text) => {
      const popup = await openPopup(fixture);
      const made = await shownLink(popup, 'Short link copied');
      await openUrlField(popup);
      if (text) await fillUrl(popup, text);
      await press(popup, 'Shorten this URL');
      await expect.poll(() => issueOf(popup, FIELD)).toContain('This isn’t a URL');
      expect(await shownLink(popup, 'Short link copied')).toBe(made);
      expect(await savedLinks(fixture)).toHaveLength(1);
    },
  );

  test('is not replaced by the page’s late response', async () => {
    const slow = await useSlowServer(fixture);
    const popup = await openPopup(fixture);
    await slow.isAsked();
    await fillUrl(popup, 'example.com/half');
    slow.release();
    await shownLink(popup, 'Short link copied');
    await popup.keyboard.type('-written');
    await expect.poll(() => fieldValue(popup, FIELD)).toBe('example.com/half-written');
  });
});

/** Runs in the popup. */
function topToBottom(elements: Element[]): string[] {
  return elements
    .map((one) => ({ name: one.className, top: one.getBoundingClientRect().top }))
    .sort((one, other) => one.top - other.top)
    .map(({ name }) => name);
}
