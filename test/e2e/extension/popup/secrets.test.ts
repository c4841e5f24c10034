import type { Page } from 'puppeteer-core';
import { beforeEach, describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import { ABOUT_CONFIRMATION } from '../../../../extension/urls/extension-pages.ts';
import {
  badge,
  expectStatus,
  fillUrl,
  inWorker,
  labels,
  openPopup,
  press,
  pressToLeave,
  recordNotifications,
  shownLink,
  statusOf,
  stored,
  targetOf,
  useFixture,
} from '../../support/extension/extension-fixture.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

const SECRET_TITLE = 'This URL may contain a secret';
const TOKEN = 'q8Zr2LmX0vNf4TbK9sYd';

const fixture = useFixture();

const textOf = (popup: Page) => popup.$eval('.stage', (stage) => stage.textContent ?? '');
async function sentNothing(): Promise<void> {
  expect(await stored(fixture)).not.toHaveProperty('accountTokens');
}

describe('a page whose URL contains a secret', () => {
  let plain: string;
  beforeEach(async () => {
    plain = fixture.page.url();
    await fixture.page.goto(`${plain}?access_token=${TOKEN}&q=1`);
  });

  test('is not sent before the popup asks, naming the secret without its value', async () => {
    const popup = await openPopup(fixture);
    await expectStatus(popup, SECRET_TITLE);
    await expect.poll(() => textOf(popup)).toContain('access_token');
    expect(await popup.content()).not.toContain(TOKEN);
    expect(await statusOf(popup)).toContain(new URL(fixture.server.baseUrl).host);
    await sentNothing();
    await press(popup, 'Shorten anyway');
    const shortUrl = await shownLink(popup, 'Short link copied');
    expect(await targetOf(shortUrl)).toBe(`${plain}?access_token=${TOKEN}&q=1`);
    await popup.close();
    // The user has decided once, and the link exists.
    expect(await shownLink(await openPopup(fixture), 'Already shortened, link copied')).toBe(
      shortUrl,
    );
  });

  test('is shortened without the secret by the focused button', async () => {
    const popup = await openPopup(fixture);
    await expectStatus(popup, SECRET_TITLE);
    await popup.waitForFunction(
      () => document.activeElement?.textContent === 'Remove it and shorten',
    );
    await popup.keyboard.press('Enter');
    expect(await targetOf(await shownLink(popup, 'Short link copied'))).toBe(`${plain}?q=1`);
  });

  test('is not shortened on Cancel, which closes the popup', async () => {
    const popup = await openPopup(fixture);
    await expectStatus(popup, SECRET_TITLE);
    const closed = new Promise((resolve) => popup.once('close', resolve));
    await pressToLeave(popup, 'Cancel');
    await closed;
    await sentNothing();
  });

  test('is not sent without the popup: a notification opens a window that asks', async () => {
    const texts = await recordNotifications(fixture);
    await fixture.chromium.writeClipboard('before');
    await fixture.chromium.clickContextMenu({ menuItemId: 'shorten-page' }, fixture.page);
    await expect.poll(texts).toHaveLength(1);
    const [text = ''] = await texts();
    expect(text).toContain('access_token');
    expect(text).toContain('Click to decide');
    expect(text).not.toContain(TOKEN);
    expect(await badge(fixture)).toBe('!');
    expect(await fixture.chromium.readClipboard()).toBe('before');
    await sentNothing();

    const window = fixture.chromium.findPage((target) =>
      target.url().endsWith(`popup.html${ABOUT_CONFIRMATION}`),
    );
    await inWorker(fixture, async () => {
      const [id] = Object.keys(await chrome.notifications.getAll());
      const { onClicked } = chrome.notifications as unknown as {
        onClicked: { dispatch(id: string | undefined): void };
      };
      onClicked.dispatch(id);
    });
    const asking = await window;
    await expectStatus(asking, SECRET_TITLE);
    await expect.poll(() => inWorker(fixture, () => chrome.notifications.getAll())).toEqual({});
    const session = async () =>
      JSON.stringify(await inWorker(fixture, () => chrome.storage.session.get()));
    await expect.poll(session).not.toContain(TOKEN);
    await press(asking, 'Remove it and shorten');
    expect(await targetOf(await shownLink(asking, 'Short link copied'))).toBe(`${plain}?q=1`);
    await asking.close();
  });
});

test.each<[press: string, options: { button?: 'middle' }, modifier?: 'Control' | 'Shift']>([
  ['a click', {}],
  ['a click of the middle button', { button: 'middle' }],
  ['Ctrl and a click', {}, 'Control'],
  ['Shift and a click', {}, 'Shift'],
])(
  'a link of a private window is opened in one by %s, from the window that a notification opens',
  async (_, options, modifier) => {
    const { browser, extensionId } = fixture.chromium;
    const asking = await fixture.chromium.openPage('about:blank');
    await inWorker(
      fixture,
      (url) =>
        chrome.storage.session.set({
          pendingConfirmation: { id: 'pending', url, title: '', isPrivate: true },
        }),
      `${fixture.page.url()}?access_token=${TOKEN}`,
    );
    await asking.goto(`chrome-extension://${extensionId}/popup.html${ABOUT_CONFIRMATION}`);
    await asking.bringToFront();
    await press(asking, 'Remove it and shorten');
    const made = await shownLink(asking, 'Short link copied');
    expect(await targetOf(made)).toBe(fixture.page.url());
    if (modifier) await asking.keyboard.down(modifier);
    // The window closes before the mouse button is released: the click is never confirmed.
    asking.click('a.button', options).catch(() => undefined);
    // The driver reports every extension window as normal, so ask the browser.
    const session = await browser.target().createCDPSession();
    const contextsOf = async (url: string) => {
      const { targetInfos } = await session.send('Target.getTargets');
      return targetInfos.filter((one) => one.url === url).map((one) => one.browserContextId);
    };
    await expect.poll(() => contextsOf(fixture.page.url())).toHaveLength(2);
    expect(new Set(await contextsOf(fixture.page.url())).size).toBe(2);
    const opened = await fixture.chromium.findPage(
      (one) => one.url() === fixture.page.url() && one !== fixture.page.target(),
    );
    await opened.close();
    await session.detach();
  },
);

test.each([
  [
    'the address bar',
    () => fixture.chromium.enterInOmnibox(`example.com/?token=${TOKEN}`, fixture.page),
  ],
  [
    'the menu of a link',
    () =>
      fixture.chromium.clickContextMenu(
        { menuItemId: 'shorten-link', linkUrl: `https://example.com/?token=${TOKEN}` },
        fixture.page,
      ),
  ],
  [
    'the keyboard',
    async () => {
      await fixture.page.goto(`${fixture.page.url()}#access_token=${TOKEN}`);
      await fixture.chromium.pressShortcut('shorten-at-once', fixture.page);
    },
  ],
])('%s sends no URL with a secret', async (_, act) => {
  const texts = await recordNotifications(fixture);
  await act();
  await expect.poll(texts).toEqual([expect.stringContaining('Nothing was sent')]);
  await sentNothing();
});

test('a pasted URL with a password needs confirmation, and Cancel returns to the page’s link', async () => {
  const popup = await openPopup(fixture);
  const made = await shownLink(popup, 'Short link copied');
  await fillUrl(popup, 'https://me:hunter2@example.com/a');
  await press(popup, 'Shorten this URL');
  await expectStatus(popup, SECRET_TITLE);
  await expect.poll(() => labels(popup)).toContain('Cancel');
  // Servers reject URLs with a password.
  expect(await labels(popup)).not.toContain('Shorten anyway');
  await press(popup, 'Cancel');
  expect(await shownLink(popup, 'Short link copied')).toBe(made);

  await fillUrl(popup, 'https://me:hunter2@example.com/a');
  await press(popup, 'Shorten this URL');
  await press(popup, 'Remove it and shorten');
  await popup.waitForFunction(
    () => document.querySelector('.target')?.textContent === 'Destination example.com/a',
  );
  expect(await targetOf(await shownLink(popup, 'Short link copied'))).toBe('https://example.com/a');
});

test('the key of an encrypted page can’t be removed, since the link would not work', async () => {
  await fixture.page.goto(`${fixture.page.url()}#GrwK8pZ3nYv5tQm2XsB7cJ4hLd9fTaUe6RkWxNiVoEyP`);
  const popup = await openPopup(fixture);
  await expectStatus(popup, SECRET_TITLE);
  await expect.poll(() => textOf(popup)).toContain('a key after #');
  await expect.poll(() => labels(popup)).toContain('Shorten anyway');
  expect(await labels(popup)).not.toContain('Remove it and shorten');
});
