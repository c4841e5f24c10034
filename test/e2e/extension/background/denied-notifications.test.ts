import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { inWorker, pressToLeave, useFixture } from '../../support/extension/extension-fixture.ts';
import { expectText } from '../../support/extension/links-page.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof import('wxt/browser').browser;

const fixture = useFixture({ deniesNotifications: true });

/** The page of the window that opens while `act` runs. */
async function windowOf(path: string, act: () => Promise<unknown>): Promise<Page> {
  const opened = fixture.chromium.findPage(
    (one) => new URL(one.url() || 'about:blank').pathname === path,
  );
  await act();
  return opened;
}

test('without notifications, an error opens a window', async () => {
  expect(await inWorker(fixture, () => chrome.notifications.getPermissionLevel())).toBe('denied');
  const click = { menuItemId: 'shorten-selection', selectionText: 'just some words' };
  const page = await windowOf('/notice.html', () =>
    fixture.chromium.clickContextMenu(click, fixture.page),
  );
  await expectText(page, 'No URL in the selection');
  await pressToLeave(page, 'Close');
  await expect.poll(() => page.isClosed()).toBe(true);
});

test('without notifications, a URL with a secret opens the question', async () => {
  const linkUrl = 'https://example.com/?access_token=q8Zr2LmX0vNf4TbK9sYd';
  const page = await windowOf('/popup.html', () =>
    fixture.chromium.clickContextMenu({ menuItemId: 'shorten-link', linkUrl }, fixture.page),
  );
  await expectText(page, 'access_token');
  await page.close();
});
