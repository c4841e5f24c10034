import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import {
  accountAt,
  badge,
  choose,
  fill,
  hearNotifications,
  inWorker,
  keptLinks,
  notifications,
  openForm,
  press,
  saveSettings,
  stored,
  targetOf,
  useBench,
  wakeWorker,
} from '../support/extension-bench.ts';
import { type FickleProxy, startFickleProxy } from '../support/fickle-proxy.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser & {
  alarms: { onAlarm: { dispatch(alarm: { name: string }): void } };
  notifications: { onClicked: { dispatch(id: string): void } };
};

const HEALTH = 'GET /api/health';
const SHORTEN = 'POST /api/shorten';

const bench = useBench();
let network: FickleProxy;

beforeEach(async () => {
  network = await startFickleProxy(bench.server.baseUrl);
  await saveSettings(bench, { serverOrigin: network.origin });
  await bench.chromium.writeClipboard('before');
});
afterEach(() => network.stop());

/** By the context menu, which asks once: nobody asks again when the worker is stopped. */
function shortenPage(): Promise<void> {
  return bench.chromium.clickContextMenu({ menuItemId: 'shorten-page' }, bench.page);
}

type Waiting = { request: object; failure?: string; retryAtMs: number };

async function waiting(): Promise<Waiting[]> {
  const { pendingWishes = {} } = (await stored(bench)) as {
    pendingWishes?: Record<string, Waiting>;
  };
  return Object.values(pendingWishes);
}

async function isKept(): Promise<void> {
  await expect.poll(async () => (await waiting())[0]?.failure).toBe('unreachable');
}

/** Waits for the notification of a late link. @returns its id */
async function lateLink(): Promise<string> {
  const offers = async () => {
    const ids = await inWorker(bench, async () => Object.keys(await chrome.notifications.getAll()));
    return ids.filter((id) => id.startsWith('copy-'));
  };
  await expect.poll(offers).toHaveLength(1);
  return (await offers())[0] ?? '';
}

async function oneLinkWasMade(): Promise<void> {
  const links = await keptLinks(bench);
  expect(links.map(({ originalUrl }) => originalUrl)).toEqual([bench.page.url()]);
  expect((await accountAt(bench, network.origin)).links).toBe(1);
  await expect.poll(waiting).toEqual([]);
}

/** As the next event finds it: a background that was stopped ends what it had begun. */
async function wakesAndMakesOneLink(): Promise<void> {
  await wakeWorker(bench);
  await lateLink();
  await oneLinkWasMade();
}

describe('a wish whose server is away', () => {
  test('is kept, which a notification and the badge tell', async () => {
    const heard = await hearNotifications(bench);
    network.isDown = true;
    await shortenPage();
    await expect.poll(heard).toHaveLength(1);
    expect((await heard())[0]).toMatch(/cannot be reached\nKept\. Curt tries again in 1 minute/);
    expect(await badge(bench)).toBe('…');
    expect(await waiting()).toMatchObject([{ request: { originalUrl: bench.page.url() } }]);
    const alarm = await inWorker(bench, () => chrome.alarms.get('retry-wishes'));
    expect((alarm?.scheduledTime ?? 0) - Date.now()).toBeGreaterThan(40_000);
    expect(await bench.chromium.readClipboard()).toBe('before');
  });

  test('is made when the alarm rings, and copied at a click on the notification', async () => {
    network.isDown = true;
    await shortenPage();
    await isKept();
    await notifications(bench);
    network.isDown = false;
    await inWorker(bench, async () => {
      const { pendingWishes } = await chrome.storage.local.get();
      for (const wish of Object.values(pendingWishes as object)) wish.retryAtMs = 0;
      await chrome.storage.local.set({ pendingWishes });
      chrome.alarms.onAlarm.dispatch({ name: 'retry-wishes' });
    });
    const id = await lateLink();
    await oneLinkWasMade();
    expect(await bench.chromium.readClipboard()).toBe('before');

    await bench.chromium.worker.stop();
    await wakeWorker(bench);
    await inWorker(bench, (clicked) => chrome.notifications.onClicked.dispatch(clicked), id);
    await expect.poll(() => bench.chromium.readClipboard()).not.toBe('before');
    expect(await targetOf(await bench.chromium.readClipboard())).toBe(bench.page.url());
  });
});

describe('a queued request with options', () => {
  test('creates one link when the server is back, and leaves the queue', async () => {
    const popup = await openForm(bench);
    await fill(popup, 'Ending', 'queued');
    await fill(popup, 'Description', 'For the team');
    await choose(popup, 'After');
    await fill(popup, 'Duration', '3');
    const { links: before } = await accountAt(bench, network.origin);
    network.isDown = true;
    await press(popup, 'Make this link');
    await isKept();
    await popup.close();
    network.isDown = false;
    // Each alarm stands for a minute that passes.
    for (let minute = 0; minute < 3; minute++) {
      await inWorker(bench, async () => {
        const { pendingWishes = {} } = await chrome.storage.local.get();
        for (const wish of Object.values(pendingWishes as object)) wish.retryAtMs = 0;
        await chrome.storage.local.set({ pendingWishes });
        chrome.alarms.onAlarm.dispatch({ name: 'retry-wishes' });
      });
      await lateLink();
    }
    await expect.poll(waiting).toEqual([]);
    expect((await accountAt(bench, network.origin)).links).toBe(before + 1);
    expect(await targetOf(`${bench.server.baseUrl}/queued`)).toBe(bench.page.url());
  });
});

describe('a worker that is stopped loses no wish and makes no link twice', () => {
  test('before its first call', async () => {
    network.holds = HEALTH;
    await shortenPage();
    await expect.poll(() => network.asked).toEqual([HEALTH]);
    await bench.chromium.worker.stop();
    network.holds = undefined;
    await wakesAndMakesOneLink();
  });

  test('during its call, which reaches the server later', async () => {
    network.holds = SHORTEN;
    await shortenPage();
    await expect.poll(() => network.asked).toContain(SHORTEN);
    await bench.chromium.worker.stop();
    network.holds = undefined;
    await wakesAndMakesOneLink();
  });

  test('while the answer is on its way', async () => {
    network.holdsAnswerOf = SHORTEN;
    await shortenPage();
    await expect.poll(() => network.answered).toContain(SHORTEN);
    await bench.chromium.worker.stop();
    network.holdsAnswerOf = undefined;
    await wakesAndMakesOneLink();
  });

  test('after the answer, before it is stored', async () => {
    network.holdsAnswerOf = SHORTEN;
    await shortenPage();
    await expect.poll(() => network.answered).toContain(SHORTEN);
    await inWorker(bench, () => {
      const never = () => new Promise(() => {});
      for (const area of [chrome.storage.local, chrome.storage.session]) {
        Object.assign(area, { set: never });
      }
    });
    network.holdsAnswerOf = undefined;
    await setTimeout(1000);
    expect(await stored(bench)).not.toHaveProperty('accountTokens');
    await bench.chromium.worker.stop();
    await wakesAndMakesOneLink();
  });

  test('during a retry', async () => {
    network.isDown = true;
    await shortenPage();
    await isKept();
    await notifications(bench);
    await bench.chromium.worker.stop();
    network.isDown = false;
    network.holdsAnswerOf = SHORTEN;
    await wakeWorker(bench);
    await expect.poll(() => network.answered).toContain(SHORTEN);
    await bench.chromium.worker.stop();
    network.holdsAnswerOf = undefined;
    await wakesAndMakesOneLink();
  });
});
