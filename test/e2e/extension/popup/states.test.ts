import type { Page } from 'puppeteer-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import { findViolations } from '../../support/checks/accessibility.ts';
import { nameOfFocused } from '../../support/checks/walk-by-keyboard.ts';
import {
  accountAt,
  control,
  expectStatus,
  fill,
  inWorker,
  labels,
  openForm,
  openPopup,
  press,
  pressToLeave,
  SHORTEN,
  savedLinks,
  saveSettings,
  saveTokens,
  shownLink,
  statusOf,
  stored,
  targetOf,
  useFixture,
  useFlakyNetwork,
} from '../../support/extension/extension-fixture.ts';
import { type AppServer, startAppServer } from '../../support/servers/app-server.ts';
import { startFlakyProxy } from '../../support/servers/flaky-proxy.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser & {
  alarms: { onAlarm: { dispatch(alarm: { name: string }): void } };
};

const fixture = useFixture();
const network = useFlakyNetwork(fixture);

const host = () => new URL(network.origin).host;
const textOf = (popup: Page) => popup.$eval('body', (body) => body.innerText);
const expectText = (popup: Page, words: string | RegExp) =>
  expect.poll(() => textOf(popup)).toMatch(words);
const onDisk = async () => JSON.stringify(await stored(fixture));

/** A popup with a queued request, since its server is unreachable. */
async function openInVain(): Promise<Page> {
  network.isDown = true;
  const popup = await openPopup(fixture);
  await expectStatus(popup, 'Can’t reach the server');
  network.isDown = false;
  return popup;
}

/** With an account, so that it isn't a first run. */
async function haveAccount(): Promise<void> {
  const popup = await openPopup(fixture);
  await shownLink(popup, 'Short link copied');
  await popup.close();
  await fixture.page.goto(`${fixture.page.url()}-next`);
}

describe('a result does not move the controls', () => {
  /** The position of every visible control by its name. */
  function places(popup: Page): Promise<Record<string, object>> {
    return popup.$$eval('button, a, input', (controls) =>
      Object.fromEntries(
        controls.map((one) => {
          const label = one instanceof HTMLInputElement && one.labels?.[0];
          const name = one.ariaLabel ?? (label || one).textContent ?? '';
          return [name.trim(), one.getBoundingClientRect().toJSON()];
        }),
      ),
    );
  }

  test.each<[outcome: string, title: string, happen: () => void, before?: () => Promise<void>]>([
    [
      'done',
      'Short link copied',
      () => {
        network.holds = undefined;
      },
    ],
    [
      'refused',
      'The server doesn’t recognize your sign-in key',
      () => {
        network.holds = undefined;
      },
      () => saveTokens(fixture, { [network.origin]: `curt_${'x'.repeat(43)}` }),
    ],
    [
      'queued',
      'Can’t reach the server',
      () => {
        network.isDown = true;
      },
    ],
  ])('%s', async (_, title, happen, before) => {
    await before?.();
    network.holds = SHORTEN;
    const popup = await openPopup(fixture);
    await expect.poll(() => network.asked).toContain(SHORTEN);
    await expectStatus(popup, 'Shortening…');
    // On a busy machine, the server takes longer than the three seconds after which this button appears.
    const { 'Finish in the background': _offered, ...working } = await places(popup);
    expect(Object.keys(working)).toEqual(
      expect.arrayContaining(['Settings', 'Shorten another URL']),
    );
    happen();
    await expectStatus(popup, title);
    expect(await places(popup)).toMatchObject(working);
  });
});

describe('opening', () => {
  test('renders the frame before any request', async () => {
    const page = await fixture.chromium.openPage('about:blank');
    await page.evaluateOnNewDocument(() => {
      const never = () => new Promise(() => {});
      Object.assign(chrome.runtime, { sendMessage: never });
      Object.assign(chrome.tabs, { query: never });
    });
    await page.goto(`chrome-extension://${fixture.chromium.extensionId}/popup.html`);
    await expectStatus(page, 'Shortening…');
    // On a busy machine, three seconds may have passed, after which another button appears.
    expect((await labels(page)).filter((label) => label !== 'Finish in the background')).toEqual([
      'My links',
      'Settings',
      'Shorten another URL',
    ]);
    await page.close();
  });

  test('reports a background that never responds, and stops waiting', async () => {
    const page = await fixture.chromium.openPage('about:blank');
    await page.evaluateOnNewDocument(() => {
      const { setTimeout: later } = globalThis;
      // The limit is 45 seconds.
      Object.assign(globalThis, {
        setTimeout: (run: () => void, ms = 0) => later(run, ms === 45_000 ? 500 : ms),
      });
      let hangs = true;
      // Newer Chromium versions have both.
      for (const { runtime } of [
        chrome,
        (globalThis as { browser?: typeof chrome }).browser ?? chrome,
      ]) {
        const send = runtime.sendMessage.bind(runtime) as (...args: unknown[]) => unknown;
        const sendMessage = (...args: unknown[]) => (hangs ? new Promise(() => {}) : send(...args));
        Object.assign(runtime, { sendMessage });
      }
      Object.assign(globalThis, {
        recover() {
          hangs = false;
        },
      });
    });
    await page.goto(`chrome-extension://${fixture.chromium.extensionId}/popup.html`);
    await expectStatus(page, 'Curt isn’t responding');
    await page.evaluate(() => (globalThis as unknown as { recover(): void }).recover());
    await press(page, 'Try again');
    await expect.poll(() => statusOf(page)).not.toContain('Curt isn’t responding');
    await page.close();
  });
});

describe('announcements use a live region that already exists', () => {
  test('in the popup', async () => {
    network.holdsAnswerOf = SHORTEN;
    const popup = await openPopup(fixture);
    const region = await popup.waitForSelector('[role=status]');
    await expectStatus(popup, 'Shortening…');
    network.holdsAnswerOf = undefined;
    await expectStatus(popup, 'Short link copied');
    expect(await region?.evaluate((one) => one.isConnected && one.textContent)).toBe(
      'Short link copied',
    );
  });

  test('in its form', async () => {
    const popup = await openForm(fixture);
    const region = await popup.waitForSelector('form [role=alert]');
    expect(await region?.evaluate((one) => one.textContent)).toBe('');
    await fill(popup, 'Custom alias', 'api');
    await press(popup, 'Shorten');
    await expect
      .poll(() => region?.evaluate((one) => one.isConnected && one.textContent))
      .toContain('This alias is taken');
  });
});

describe('a queued request', () => {
  beforeEach(haveAccount);

  test('is shown as queued, and sent by “Try now”', async () => {
    const popup = await openInVain();
    await expect
      .poll(() => statusOf(popup))
      .toMatch(
        /Saved for later\. Curt will try again in (1 minute|[345]\d seconds) and notify you\./,
      );
    await press(popup, 'Try now');
    expect(await targetOf(await shownLink(popup, 'Short link copied'))).toBe(fixture.page.url());
    expect((await accountAt(fixture, network.origin)).links).toBe(2);
    await expectText(popup, /^(?![\s\S]*waiting for)/);
  });

  test('shows its link when a retry succeeds, without copying it', async () => {
    const popup = await openInVain();
    await inWorker(fixture, async () => {
      const { pendingRequests } = await chrome.storage.local.get();
      for (const request of Object.values(pendingRequests as object)) request.retryAtMs = 0;
      await chrome.storage.local.set({ pendingRequests });
      chrome.alarms.onAlarm.dispatch({ name: 'retry-requests' });
    });
    expect(await targetOf(await shownLink(popup, 'Short link created'))).toBe(fixture.page.url());
  });

  test('returns to the form after “Discard”', async () => {
    const popup = await openForm(fixture);
    await fill(popup, 'Custom alias', 'not-kept');
    network.isDown = true;
    await press(popup, 'Shorten');
    await expectStatus(popup, 'Can’t reach the server');
    await press(popup, 'Discard');
    const value = async () =>
      (await control(popup, 'Custom alias')).evaluate((input) => input.value);
    await expect.poll(value).toBe('not-kept');
  });

  test('is listed in the queue, where each request can be retried or discarded', async () => {
    const first = await openInVain();
    await first.close();
    const before = fixture.page.url();
    await fixture.page.goto(`${before}-more`);
    const popup = await openInVain();
    await expectText(popup, `2 links waiting for ${host()}`);
    await press(popup, `2 links waiting for ${host()}`);
    const shorter = (url: string) => url.replace('http://', '');
    await expectText(popup, `${shorter(before)}\n`);
    await press(popup, `Discard: ${shorter(before)}`);
    await expectText(popup, `1 link waiting for ${host()}`);
    await press(popup, `Try now: ${shorter(fixture.page.url())}`);
    await shownLink(popup, 'Short link created');
    await expectText(popup, /^(?![\s\S]*waiting for)/);
    expect((await savedLinks(fixture)).map(({ originalUrl }) => originalUrl)).not.toContain(before);
  });
});

test.each(['Try now', 'Discard'])(
  'a queued request shows why “%s” failed, and keeps the focus',
  async (name) => {
    await haveAccount();
    const popup = await openInVain();
    await press(popup, `1 link waiting for ${host()}`);
    const region = await popup.waitForSelector('.queue-row [role=status]');
    const words = () => region?.evaluate((one) => one.isConnected && one.textContent);
    await expect.poll(words).toContain('Can’t reach the server. Next try');
    await popup.evaluate(() => {
      // As when the browser can't start the worker.
      const failing = () => Promise.reject(new Error('no worker'));
      Object.assign(chrome.runtime, { sendMessage: failing });
    });
    const full = `${name}: ${fixture.page.url().replace('http://', '')}`;
    await popup.focus(`[aria-label="${full}"]`);
    await popup.keyboard.press('Enter');
    await expect.poll(words).toContain('Something went wrong in Curt. Try again.');
    expect(await nameOfFocused(popup)).toBe(full);
  },
);

test('when the queue is full, the popup retries once a request is discarded', async () => {
  await inWorker(
    fixture,
    (origin) => {
      const waits = Array.from({ length: 100 }, (_, index) => [
        `id-${index}`,
        {
          origin,
          request: { originalUrl: `https://example.com/${index}` },
          isPrivate: false,
          requestedAtMs: Date.now() + index,
          failure: 'unreachable',
          attempts: 1,
          retryAtMs: Date.now() + 3_600_000,
          retryUntilMs: Date.now() + 86_400_000,
        },
      ]);
      return chrome.storage.local.set({ pendingRequests: Object.fromEntries(waits) });
    },
    network.origin,
  );
  network.isDown = true;
  const popup = await openPopup(fixture);
  await expectStatus(popup, 'Too many links are already waiting');
  expect(await findViolations(popup)).toEqual([]);
  await press(popup, `100 links waiting for ${host()}`);
  await press(popup, 'Discard: example.com/0');
  await expectText(popup, `99 links waiting for ${host()}`);
  await press(popup, 'Try again');
  await expectStatus(popup, 'No server is responding yet');
  await expectText(popup, `100 links waiting for ${host()}`);
});

describe('limits', () => {
  let strict: AppServer;
  afterEach(() => strict.stop());

  async function use(env: Record<string, string>): Promise<void> {
    strict = await startAppServer({ env });
    await network.stop();
    await startFlakyProxy(strict.baseUrl, network);
    await saveSettings(fixture, { serverOrigin: network.origin });
    await haveAccount();
  }

  const until429 = async () => {
    for (;;) {
      const popup = await openPopup(fixture);
      const title = () => popup.$eval('.status-title', (one) => one.textContent);
      // Between the two, the link is created and not yet copied.
      await expect.poll(title).toMatch(/copied$|Too many requests$|limit reached$/);
      if ((await title()) !== 'Short link copied') return popup;
      await popup.close();
      await fixture.page.goto(`${fixture.page.url()}-next`);
    }
  };

  test('of the minute are shown with those of the month, with reset times', async () => {
    await use({ RATE_LIMIT_PER_MINUTE: '1' });
    const popup = await until429();
    await expectStatus(popup, 'Too many requests');
    await expectText(popup, /This minute\s+0 of 1 left\s+This month/);
    const text = await textOf(popup);
    // The status line says when to retry: one countdown is enough.
    const [minute = ''] = text.split('This month');
    expect(minute.match(/\bin (1 minute|\d+ seconds?)/g)).toHaveLength(1);
    // A retry would fail now.
    expect(await popup.$$eval('.primary', (buttons) => buttons.length)).toBe(0);
    expect(text).toMatch(/This month\s+99\d of 1,000 left\s+Resets\s+(\w+ 1, \d{4}|in \d+ \w+)/);
    expect(await statusOf(popup)).toMatch(
      /Saved for later\. Curt will try again in (\d+ seconds?|1 minute) and notify you\./,
    );
  });

  test('of the month are shown with those of the minute, with the reset date', async () => {
    await use({ MONTHLY_QUOTA: '1' });
    const popup = await until429();
    await expectStatus(popup, 'Monthly limit reached');
    await expectText(popup, /This month\s+0 of 1 left/);
    await expectText(popup, /This minute\s+[\d,]+ of 10,000 left/);
    const { quota } = await accountAt(fixture, network.origin);
    expect(await statusOf(popup)).toMatch(
      new RegExp(
        `Saved for later\\. .*(${new Date(quota.resetsAt).getFullYear()} at|in \\d+ (minute|second)s?)`,
      ),
    );
  });

  test('are read from the account if the error lacks them', async () => {
    await use({ MONTHLY_QUOTA: '1' });
    network.hidesLimits = true;
    const popup = await until429();
    await expectText(popup, /This month\s+0 of 1 left/);
    expect(network.asked).toContain('GET /api/account');
  });

  test('that are nearly reached are in the footer', async () => {
    await use({ RATE_LIMIT_PER_MINUTE: '5', MONTHLY_QUOTA: '3' });
    const first = await openPopup(fixture);
    // The request that created the account only counted for the IP address.
    await expectStatus(first, 'Short link copied');
    await first.waitForSelector('footer');
    expect(await textOf(first)).not.toContain('left this');
    await first.close();
    await fixture.page.goto(`${fixture.page.url()}-next`);
    await expectText(
      await openPopup(fixture),
      '0 of 3 links left this month. 3 of 5 requests left this minute.',
    );
    expect(network.asked).not.toContain('GET /api/account');
  });
});

describe('the first run', () => {
  test('without a server shows an error, links to Getting started, and queues the request', async () => {
    network.isDown = true;
    const popup = await openPopup(fixture);
    await expectStatus(popup, 'No server is responding yet');
    await expect.poll(() => statusOf(popup)).toContain(host());
    await expect
      .poll(() => labels(popup))
      .toEqual(expect.arrayContaining(['Set up', 'Try now', 'Discard']));
    const opened = fixture.chromium.findPage((target) => target.url().endsWith('/welcome.html'));
    await pressToLeave(popup, 'Set up');
    await (await opened).close();
    expect(await onDisk()).toContain('"failure":"unreachable"');
  });

  test('ends once a server has responded', async () => {
    await haveAccount();
    await expectStatus(await openInVain(), 'Can’t reach the server');
  });
});
