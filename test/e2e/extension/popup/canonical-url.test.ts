import { beforeEach, describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import { findViolations } from '../../support/checks/accessibility.ts';
import {
  accountAt,
  inWorker,
  openPopup,
  press,
  recordNotifications,
  saveSettings,
  setTimeoutsOf,
  shownLink,
  stored,
  targetOf,
  useFixture,
} from '../../support/extension/extension-fixture.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

/** Longer than the popup may take. */
const BUSY_MS = 25_000;
/** How long the extension waits for the page's answer, see `read-page-urls.ts`. */
const ANSWER_TIMEOUT_MS = 300;
const NAMES_IT = 'Using the site’s preferred address.';
const UNREAD = 'The site’s preferred address couldn’t be read.';

const fixture = useFixture();

const settings = (more: object = {}) =>
  saveSettings(fixture, { serverOrigin: fixture.server.baseUrl, preferCanonical: true, ...more });

/** The popup that a click opens; empty in one-click mode. */
const setPopup = (popup: string) =>
  inWorker(fixture, (page) => chrome.action.setPopup({ popup: page }), popup);

/** A busy machine may need more time than users should wait. */
const setPatience = (isPatient: boolean) =>
  setTimeoutsOf(fixture, ANSWER_TIMEOUT_MS, isPatient ? BUSY_MS : ANSWER_TIMEOUT_MS);

/** Opens a page that declares these URLs, which may be relative. @returns the tab's URL */
async function visit(links: { canonical?: string; shortlink?: string }): Promise<string> {
  await fixture.page.goto(
    `${fixture.page.url()}?${new URLSearchParams(links)}&long=${'x'.repeat(64)}`,
  );
  return fixture.page.url();
}

beforeEach(async () => {
  await settings();
  await setPatience(true);
});

describe('a page’s canonical URL', () => {
  test('is shortened, and the popup shows and can undo that', async () => {
    const tab = await visit({ canonical: '/own?utm_source=a&b' });
    const popup = await openPopup(fixture);
    const own = await shownLink(popup, 'Short link copied');
    expect(await targetOf(own)).toBe(`${fixture.site.origin}/own?b`);
    const text = () => popup.$eval('.stage', (stage) => stage.textContent);
    await expect.poll(text).toContain(NAMES_IT);
    expect(await findViolations(popup)).toEqual([]);
    await press(popup, 'Use the tab’s URL');
    await popup.waitForFunction(() => !document.querySelector('.url-change'));
    expect(await targetOf(await shownLink(popup, 'Short link copied'))).toBe(tab);
  });

  test('is not read if the setting is off', async () => {
    await settings({ preferCanonical: false });
    const tab = await visit({ canonical: '/own' });
    expect(await targetOf(await shownLink(await openPopup(fixture), 'Short link copied'))).toBe(
      tab,
    );
  });

  test('is not used if it is on another site', async () => {
    const tab = await visit({ canonical: 'https://other.example/own' });
    expect(await targetOf(await shownLink(await openPopup(fixture), 'Short link copied'))).toBe(
      tab,
    );
  });

  test('is not used after a same-document navigation', async () => {
    await visit({ canonical: '/own' });
    await fixture.page.evaluate(() => history.pushState(null, '', '/went-on?to=another'));
    expect(await targetOf(await shownLink(await openPopup(fixture), 'Short link copied'))).toBe(
      `${fixture.site.origin}/went-on?to=another`,
    );
  });

  test('is not waited for on a busy page', async () => {
    await setPatience(false);
    const tab = await visit({ canonical: '/own' });
    await fixture.page.evaluate((busyMs) => {
      setTimeout(() => {
        const end = performance.now() + busyMs;
        while (performance.now() < end);
      });
    }, BUSY_MS);
    let isBusy = true;
    const answer = fixture.page.evaluate(() => undefined);
    const done = () => {
      isBusy = false;
    };
    void answer.then(done, done);
    const popup = await openPopup(fixture);
    expect(await targetOf(await shownLink(popup, 'Short link copied'))).toBe(tab);
    const change = () => popup.$eval('.url-change', ({ textContent }) => textContent);
    await expect.poll(change).toBe(UNREAD);
    expect(isBusy).toBe(true);
  });

  test('does not make a browser page valid', async () => {
    await fixture.page.goto('chrome://version/');
    const popup = await openPopup(fixture);
    await popup.waitForFunction(() =>
      document.querySelector('[role=status]')?.textContent?.includes('belongs to your browser'),
    );
  });

  test('cannot be read without a user gesture, and the notification says so', async () => {
    const tab = await visit({ canonical: '/own' });
    await fixture.chromium.writeClipboard('before');
    const notificationTexts = await recordNotifications(fixture);
    await fixture.chromium.clickContextMenu({ menuItemId: 'shorten-page' }, fixture.page);
    await expect.poll(notificationTexts).toEqual([expect.stringContaining(UNREAD)]);
    expect(await targetOf(await fixture.chromium.readClipboard())).toBe(tab);
  });

  test('is also used in one-click mode, and the notification says so', async () => {
    await setPopup('');
    try {
      await visit({ canonical: '/own' });
      await fixture.chromium.writeClipboard('before');
      const notificationTexts = await recordNotifications(fixture);
      await fixture.chromium.clickQuietToolbarButton(fixture.page);
      await expect.poll(notificationTexts).toEqual([expect.stringContaining(NAMES_IT)]);
      expect(await targetOf(await fixture.chromium.readClipboard())).toBe(
        `${fixture.site.origin}/own`,
      );
      // The context menu finds the same link, since activeTab is still granted.
      await fixture.chromium.writeClipboard('before');
      await fixture.chromium.clickContextMenu({ menuItemId: 'shorten-page' }, fixture.page);
      await expect.poll(notificationTexts).toHaveLength(2);
      expect(await targetOf(await fixture.chromium.readClipboard())).toBe(
        `${fixture.site.origin}/own`,
      );
    } finally {
      await setPopup('popup.html');
    }
  });
});

describe('a page’s own short link', () => {
  test('is shown and copied, without a server until another link is requested', async () => {
    const tab = await visit({ shortlink: '/?p=7' });
    const popup = await openPopup(fixture);
    expect(await shownLink(popup, 'The page’s own short link was copied')).toBe(
      `${fixture.site.origin}/?p=7`,
    );
    expect(await stored(fixture)).not.toHaveProperty('accountTokens');
    expect(await findViolations(popup)).toEqual([]);
    await popup.close();
    expect(await fixture.chromium.readClipboard()).toBe(`${fixture.site.origin}/?p=7`);

    const second = await openPopup(fixture);
    await press(second, 'Create another');
    expect(await targetOf(await shownLink(second, 'Short link copied'))).toBe(tab);
    expect((await accountAt(fixture)).links).toBe(1);
  });
});
