import { describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import { COPY_IN_OFFSCREEN } from '../../../../extension/messaging/offscreen.ts';
import {
  accountAt,
  fill,
  inWorker,
  openForm,
  openPopup,
  press,
  recordNotifications,
  SHORTEN,
  savedLinks,
  shownLink,
  targetOf,
  useFixture,
  useFlakyNetwork,
  wakeWorker,
} from '../../support/extension/extension-fixture.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

const HEALTH = 'GET /api/health';

const fixture = useFixture();
const network = useFlakyNetwork(fixture);

const countLinks = async () => (await accountAt(fixture, network.origin)).links;

describe('a popup whose background stops creates one link', () => {
  test('before it opens', async () => {
    await fixture.chromium.worker.stop();
    const popup = await openPopup(fixture);
    expect(await targetOf(await shownLink(popup, 'Short link copied'))).toBe(fixture.page.url());
    expect(await countLinks()).toBe(1);
  });

  test('before it receives its first data', async () => {
    await inWorker(fixture, () => {
      const get = () => {
        Object.assign(globalThis, { isCalled: true });
        return new Promise(() => {});
      };
      // The policy, which is the first that a popup needs and the only one that is read each time.
      Object.assign(chrome.storage.managed, { get });
    });
    const popup = await openPopup(fixture);
    await expect.poll(() => inWorker(fixture, () => 'isCalled' in globalThis)).toBe(true);
    await fixture.chromium.worker.stop();
    expect(await targetOf(await shownLink(popup, 'Short link copied'))).toBe(fixture.page.url());
    expect(await countLinks()).toBe(1);
  });

  test('while it verifies the server', async () => {
    network.holds = HEALTH;
    const popup = await openPopup(fixture);
    await expect.poll(() => network.asked).toContain(HEALTH);
    await fixture.chromium.worker.stop();
    network.holds = undefined;
    expect(await targetOf(await shownLink(popup, 'Short link copied'))).toBe(fixture.page.url());
    expect(await countLinks()).toBe(1);
  });

  test('while the response to its form is on its way', async () => {
    const popup = await openForm(fixture);
    network.holdsAnswerOf = SHORTEN;
    const before = network.answered.length;
    await fill(popup, 'Custom alias', 'once');
    await press(popup, 'Shorten');
    await expect.poll(() => network.answered.slice(before)).toContain(SHORTEN);
    await fixture.chromium.worker.stop();
    network.holdsAnswerOf = undefined;
    await popup.waitForFunction(() =>
      document.querySelector('output')?.textContent?.endsWith('/once'),
    );
    await shownLink(popup, 'Short link copied');
    expect(await countLinks()).toBe(1);
  });

  test('between two clicks, of which the second requests another link', async () => {
    const popup = await openPopup(fixture);
    const first = await shownLink(popup, 'Short link copied');
    await popup.close();
    const again = await openPopup(fixture);
    await shownLink(again, 'Already shortened, link copied');
    await fixture.chromium.worker.stop();
    await press(again, 'Create another');
    expect(await shownLink(again, 'Short link copied')).not.toBe(first);
    expect(await countLinks()).toBe(2);
  });
});

test('a background that stops while copying leaves the link to be copied again', async () => {
  await fixture.chromium.writeClipboard('before');
  await inWorker(
    fixture,
    (copyInOffscreen) => {
      // The offscreen document exists, but never receives the text.
      const sendMessage = async ({ kind }: { kind?: string }) => {
        if (kind !== copyInOffscreen) return;
        Object.assign(globalThis, { isCopying: true });
        return new Promise(() => {});
      };
      Object.assign(chrome.runtime, { sendMessage });
    },
    COPY_IN_OFFSCREEN,
  );
  await fixture.chromium.clickContextMenu({ menuItemId: 'shorten-page' }, fixture.page);
  await expect.poll(() => inWorker(fixture, () => 'isCopying' in globalThis)).toBe(true);
  await fixture.chromium.worker.stop();
  expect(await fixture.chromium.readClipboard()).toBe('before');

  await wakeWorker(fixture);
  const notificationTexts = await recordNotifications(fixture);
  await fixture.chromium.clickContextMenu({ menuItemId: 'shorten-page' }, fixture.page);
  await expect.poll(notificationTexts).toEqual([expect.stringContaining('Short link copied')]);
  const [link] = await savedLinks(fixture);
  expect(await fixture.chromium.readClipboard()).toBe(link?.shortUrl);
  expect(await countLinks()).toBe(1);
});
