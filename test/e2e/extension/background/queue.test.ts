import { beforeEach, describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import {
  accountAt,
  badge,
  inWorker,
  notifications,
  recordNotifications,
  SHORTEN,
  savedLinks,
  stored,
  targetOf,
  useFixture,
  useFlakyNetwork,
  wakeWorker,
} from '../../support/extension/extension-fixture.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser & {
  alarms: { onAlarm: { dispatch(alarm: { name: string }): void } };
  notifications: { onClicked: { dispatch(id: string): void } };
};

const HEALTH = 'GET /api/health';

const fixture = useFixture();
const network = useFlakyNetwork(fixture);

beforeEach(() => fixture.chromium.writeClipboard('before'));

/** Uses the context menu, which sends one event: nothing repeats it if the worker stops. */
function shortenPage(): Promise<void> {
  return fixture.chromium.clickContextMenu({ menuItemId: 'shorten-page' }, fixture.page);
}

type Waiting = { request: object; failure?: string; requestedAtMs: number; retryAtMs: number };

async function waiting(): Promise<Waiting[]> {
  const { pendingRequests = {} } = (await stored(fixture)) as {
    pendingRequests?: Record<string, Waiting>;
  };
  return Object.values(pendingRequests);
}

/** Waits until the attempt is over: the queue is in storage a moment before. */
async function isKept(): Promise<void> {
  await expect.poll(() => notifications(fixture)).toHaveLength(1);
  expect(await waiting()).toMatchObject([{ failure: 'unreachable' }]);
}

/** Waits for the notification of a deferred link. @returns its id */
async function lateLink(): Promise<string> {
  const offers = async () => {
    const ids = await inWorker(fixture, async () =>
      Object.keys(await chrome.notifications.getAll()),
    );
    return ids.filter((id) => id.startsWith('copy-'));
  };
  await expect.poll(offers).toHaveLength(1);
  return (await offers())[0] ?? '';
}

async function oneLinkWasCreated(): Promise<void> {
  const links = await savedLinks(fixture);
  expect(links.map(({ originalUrl }) => originalUrl)).toEqual([fixture.page.url()]);
  expect((await accountAt(fixture, network.origin)).links).toBe(1);
  await expect.poll(waiting).toEqual([]);
}

/** Waits until the restarted background has finished what the stopped one began. */
async function wakesAndMakesOneLink(): Promise<void> {
  await wakeWorker(fixture);
  await lateLink();
  await oneLinkWasCreated();
}

describe('a request whose server is unreachable', () => {
  test('is queued, with a notification and a badge', async () => {
    const notificationTexts = await recordNotifications(fixture);
    network.isDown = true;
    await shortenPage();
    await expect.poll(notificationTexts).toHaveLength(1);
    expect((await notificationTexts())[0]).toMatch(
      /Can’t reach the server\nSaved for later\. Curt will try again in (1 minute|[345]\d seconds)/,
    );
    expect(await badge(fixture)).toBe('…');
    expect(await waiting()).toMatchObject([{ request: { originalUrl: fixture.page.url() } }]);
    const [{ requestedAtMs = Number.NaN } = {}] = await waiting();
    const waitMs = async () => {
      const alarm = await inWorker(fixture, () => chrome.alarms.get('retry-requests'));
      return (alarm?.scheduledTime ?? 0) - requestedAtMs;
    };
    await expect.poll(waitMs).toBeGreaterThan(40_000);
    expect(await fixture.chromium.readClipboard()).toBe('before');
  });

  test('is retried when the alarm fires, and copied by a click on the notification', async () => {
    network.isDown = true;
    await shortenPage();
    await isKept();
    network.isDown = false;
    await inWorker(fixture, async () => {
      const { pendingRequests } = await chrome.storage.local.get();
      for (const request of Object.values(pendingRequests as object)) request.retryAtMs = 0;
      await chrome.storage.local.set({ pendingRequests });
      chrome.alarms.onAlarm.dispatch({ name: 'retry-requests' });
    });
    const id = await lateLink();
    await oneLinkWasCreated();
    expect(await fixture.chromium.readClipboard()).toBe('before');

    await fixture.chromium.worker.stop();
    await wakeWorker(fixture);
    const notificationTexts = await recordNotifications(fixture);
    await inWorker(fixture, (clicked) => chrome.notifications.onClicked.dispatch(clicked), id);
    await expect.poll(notificationTexts).toEqual([expect.stringContaining('Short link copied')]);
    expect(await targetOf(await fixture.chromium.readClipboard())).toBe(fixture.page.url());
  });
});

describe('a stopped worker loses no request and creates no link twice', () => {
  test('before the first request', async () => {
    network.holds = HEALTH;
    await shortenPage();
    await expect.poll(() => network.asked).toEqual([HEALTH]);
    await fixture.chromium.worker.stop();
    network.holds = undefined;
    await wakesAndMakesOneLink();
  });

  test('while the response is on its way', async () => {
    network.holdsAnswerOf = SHORTEN;
    await shortenPage();
    await expect.poll(() => network.answered).toContain(SHORTEN);
    await fixture.chromium.worker.stop();
    network.holdsAnswerOf = undefined;
    await wakesAndMakesOneLink();
  });

  test('after the response, before it is stored', async () => {
    network.holdsAnswerOf = SHORTEN;
    await shortenPage();
    await expect.poll(() => network.answered).toContain(SHORTEN);
    await inWorker(fixture, () => {
      const never = () => {
        Object.assign(globalThis, { hasTriedToStore: true });
        return new Promise(() => {});
      };
      for (const area of [chrome.storage.local, chrome.storage.session]) {
        Object.assign(area, { set: never });
      }
    });
    network.holdsAnswerOf = undefined;
    await expect.poll(() => inWorker(fixture, () => 'hasTriedToStore' in globalThis)).toBe(true);
    expect(await stored(fixture)).not.toHaveProperty('accountTokens');
    await fixture.chromium.worker.stop();
    await wakesAndMakesOneLink();
  });

  test('during a retry', async () => {
    network.isDown = true;
    await shortenPage();
    await isKept();
    await fixture.chromium.worker.stop();
    network.isDown = false;
    network.holdsAnswerOf = SHORTEN;
    await wakeWorker(fixture);
    await expect.poll(() => network.answered).toContain(SHORTEN);
    await fixture.chromium.worker.stop();
    network.holdsAnswerOf = undefined;
    await wakesAndMakesOneLink();
  });
});
