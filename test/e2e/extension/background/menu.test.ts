import { describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import {
  badge,
  inWorker,
  menuEntries,
  notifications,
  openPopup,
  recordNotifications,
  savedLinks,
  shownLink,
  stored,
  targetOf,
  useFixture,
} from '../../support/extension/extension-fixture.ts';
import { chooseInRow, openLinks } from '../../support/extension/links-page.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

const fixture = useFixture();

describe('the context menu', () => {
  test('has an entry for links, pages, selections, images, videos and sounds', async () => {
    // The API can't list entries, but updating a missing one is an error.
    const known = () =>
      menuEntries(fixture, [
        'shorten-link',
        'shorten-page',
        'shorten-selection',
        'shorten-image',
        'shorten-video',
        'shorten-audio',
      ]);
    // They are added a moment after the installation.
    await expect.poll(known).toHaveLength(6);
  });

  test.each([
    ['a link', { menuItemId: 'shorten-link', linkUrl: 'https://example.com/linked' }],
    ['an image', { menuItemId: 'shorten-image', srcUrl: 'https://example.com/linked' }],
    ['a video', { menuItemId: 'shorten-video', srcUrl: 'https://example.com/linked' }],
    ['a sound', { menuItemId: 'shorten-audio', srcUrl: 'https://example.com/linked' }],
    ['selected text', { menuItemId: 'shorten-selection', selectionText: ' example.com/linked ' }],
    [
      'a URL in selected words',
      {
        menuItemId: 'shorten-selection',
        selectionText: 'It is new (https://example.com/linked).',
      },
    ],
    [
      'two selected lines of one URL',
      { menuItemId: 'shorten-selection', selectionText: 'https://example.com/\nlinked' },
    ],
  ])('on %s shortens it, copies the link and notifies', async (_, click) => {
    await fixture.chromium.writeClipboard('before');
    await fixture.chromium.clickContextMenu(click, fixture.page);
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
    expect(await badge(fixture)).toBe('✓');
    const copied = await fixture.chromium.readClipboard();
    expect(await targetOf(copied)).toBe('https://example.com/linked');
  });

  test('on a page shortens it, and reuses the popup’s link', async () => {
    const popup = await openPopup(fixture);
    const made = await shownLink(popup, 'Short link copied');
    await popup.close();
    await fixture.chromium.writeClipboard('before');
    await fixture.chromium.clickContextMenu({ menuItemId: 'shorten-page' }, fixture.page);
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
    expect(await fixture.chromium.readClipboard()).toBe(made);
  });

  test('on a page whose link is paused creates no other, and says so', async () => {
    const popup = await openPopup(fixture);
    await shownLink(popup, 'Short link copied');
    await popup.close();
    const links = await openLinks(fixture);
    await chooseInRow(links, 'Pause');
    await expect.poll(() => savedLinks(fixture)).toMatchObject([{ status: 'inactive' }]);
    const [{ shortUrl } = { shortUrl: '' }] = await savedLinks(fixture);
    await fixture.chromium.writeClipboard('before');
    const texts = await recordNotifications(fixture);
    await fixture.chromium.clickContextMenu({ menuItemId: 'shorten-page' }, fixture.page);
    await expect
      .poll(texts)
      .toEqual([
        `Curt: Your short link for this URL is paused\nResume ${shortUrl} in My links or in the popup, or create another one in the popup.`,
      ]);
    expect(await fixture.chromium.readClipboard()).toBe('before');
    expect(await savedLinks(fixture)).toHaveLength(1);
  });

  test('on selected text without a URL creates nothing and notifies', async () => {
    await fixture.chromium.writeClipboard('before');
    await fixture.chromium.clickContextMenu(
      { menuItemId: 'shorten-selection', selectionText: 'just some words' },
      fixture.page,
    );
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
    expect(await badge(fixture)).toBe('!');
    expect(await fixture.chromium.readClipboard()).toBe('before');
    expect(await savedLinks(fixture)).toEqual([]);
  });

  test('outside a tab, as in a side panel, saves nothing to disk', async () => {
    await fixture.chromium.writeClipboard('before');
    await inWorker(fixture, () => {
      const { onClicked } = chrome.contextMenus as unknown as {
        onClicked: { dispatch(click: object): void };
      };
      onClicked.dispatch({ menuItemId: 'shorten-link', linkUrl: 'https://example.com/linked' });
    });
    await expect.poll(() => notifications(fixture)).toHaveLength(1);
    expect(await targetOf(await fixture.chromium.readClipboard())).toBe(
      'https://example.com/linked',
    );
    expect(await savedLinks(fixture)).toEqual([]);
    expect(await stored(fixture)).not.toHaveProperty('accountTokens');
  });
});
