import type { ElementHandle, KeyInput, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import type { browser } from 'wxt/browser';
import type { SavedLink } from '../../../../extension/links/link.ts';
import { createClient } from '../../../../shared/client.ts';
import { dataOf } from '../../../support/data-of.ts';
import { type ChromiumWithExtension, launchChromiumWithExtension } from '../browser/chromium.ts';
import { openSharedChromiumWithExtension } from '../browser/shared-chromium.ts';
import { openParts } from '../checks/rules-editor.ts';
import { type AppServer, startAppServer } from '../servers/app-server.ts';
import { type FlakyProxy, startFlakyProxy } from '../servers/flaky-proxy.ts';
import { type Site, startSite } from '../servers/site.ts';
import { type LocalizedExtension, localizedExtension } from './localized-extension.ts';

/** In the extension's own worker and pages, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

/** How long a badge is shown, see `notify.ts`. */
const BADGE_MS = 4000;

export type Stored = {
  settings: { serverOrigin: string };
  accountTokens: Record<string, string>;
  savedLinks?: Record<string, SavedLink[]>;
};

export type Fixture = {
  chromium: ChromiumWithExtension;
  server: AppServer;
  site: Site;
  /** The active tab, with a page that no earlier test has shortened. */
  page: Page;
  /** A page of the extension that runs no script of its own, which stays open. */
  quietPage: Page;
};

/**
 * A browser with the extension, its server and a site to shorten, for the tests of one file. Without wishes
 * of its own, it shares the browser with other files, and the extension is installed anew. Each test
 * starts with only the server's address in the extension's storage.
 */
export function useFixture({
  locale = 'en',
  isInPrivateWindows = false,
  deniesNotifications = false,
  /** Command-line switches of the browser. */
  switches = [] as string[],
  /** Settings of the server. */
  env = {} as Record<string, string>,
} = {}): Fixture {
  const fixture = {} as Fixture;
  let pageNumber = 0;
  let speaking: LocalizedExtension | undefined;
  beforeAll(async () => {
    if (locale !== 'en') speaking = await localizedExtension(locale);
    const isShared = !deniesNotifications && switches.length === 0;
    [fixture.chromium, fixture.server, fixture.site] = await Promise.all([
      isShared
        ? openSharedChromiumWithExtension(speaking?.folder, { isInPrivateWindows })
        : launchChromiumWithExtension(speaking?.folder, {
            isInPrivateWindows,
            deniesNotifications,
            switches,
          }),
      startAppServer({ env }),
      startSite(),
    ]);
    fixture.quietPage = await fixture.chromium.openExtensionPage('manifest.json');
  });
  afterAll(async () => {
    await fixture.chromium?.close();
    await fixture.server?.stop();
    await fixture.site?.stop();
    await speaking?.remove();
  });
  beforeEach(async () => {
    await eraseData(fixture);
    // Chromium fails to list them.
    if (!deniesNotifications) await notifications(fixture);
    await keepBadge(fixture);
    await saveSettings(fixture, { serverOrigin: fixture.server.baseUrl });
    pageNumber += 1;
    fixture.page = await fixture.chromium.openPage(`${fixture.site.origin}/page-${pageNumber}`);
  });
  // A page that stays open reads from the server when it gets the focus, and what it reads is saved.
  afterEach(() => fixture.chromium?.closePages(fixture.quietPage));
  return fixture;
}

export const SHORTEN = 'POST /api/shorten';

/** Puts a network that can fail between the extension and its server, anew for each test. */
export function useFlakyNetwork(fixture: Fixture): FlakyProxy {
  const network = {} as FlakyProxy;
  beforeEach(async () => {
    await startFlakyProxy(fixture.server.baseUrl, network);
    await saveSettings(fixture, { serverOrigin: network.origin });
  });
  afterEach(() => network.stop());
  return network;
}

/** Lets the extension use a server that holds requests for links, until the test ends. */
export async function useSlowServer(fixture: Fixture, settings: object = {}) {
  const network = await startFlakyProxy(fixture.server.baseUrl);
  onTestFinished(() => network.stop());
  network.holds = SHORTEN;
  await saveSettings(fixture, { serverOrigin: network.origin, ...settings });
  return {
    origin: network.origin,
    /** Waits for a request for a link. */
    isAsked: () => expect.poll(() => network.asked).toContain(SHORTEN),
    release() {
      network.holds = undefined;
    },
  };
}

/**
 * Deletes everything that is stored. The message comes first, because it keeps calls in progress from
 * saving what they receive later.
 */
async function eraseData(fixture: Fixture): Promise<void> {
  const send = () =>
    fixture.quietPage.evaluate(() =>
      chrome.runtime.sendMessage({ kind: 'eraseData', payload: {} }),
    );
  // A worker that is just stopping drops the message.
  const erased = (await send().catch(() => undefined)) ?? (await send());
  if (erased?.ok !== true) throw new Error(`The data is not erased: ${JSON.stringify(erased)}`);
  await inWorker(fixture, () => chrome.storage.local.clear());
}

/** Runs in the extension's background. */
export function inWorker<A extends unknown[], R>(
  { chromium }: Fixture,
  run: (...args: A) => R,
  ...args: A
): Promise<Awaited<R>> {
  return chromium.worker.evaluate(run, ...args);
}

/** Starts a stopped background, as any event does. */
export async function wakeWorker(fixture: Fixture): Promise<void> {
  const page = await fixture.chromium.openExtensionPage('options.html');
  await page.waitForSelector('main');
  await page.close();
}

export function openPopup({ chromium, page }: Fixture): Promise<Page> {
  return chromium.clickToolbarButton(page);
}

/** Opens the popup with the whole form of a new link. */
export async function openForm(fixture: Fixture): Promise<Page> {
  const { settings } = await stored(fixture);
  await saveSettings(fixture, { ...settings, optionsFirst: true });
  const popup = await openPopup(fixture);
  await expectStatus(popup, 'Ready to shorten this page');
  await openParts(popup);
  return popup;
}

export async function statusOf(popup: Page): Promise<string> {
  return popup.$eval('[role=status]', (status) => status.textContent ?? '');
}

export async function expectStatus(popup: Page, title: string): Promise<void> {
  try {
    await popup.waitForFunction(
      (words) => document.querySelector('[role=status] p')?.textContent === words,
      {},
      title,
    );
  } catch (cause) {
    throw new Error(`Expected the status "${title}", but found "${await statusOf(popup)}"`, {
      cause,
    });
  }
}

/** Waits for a status title. @returns the short URL below it */
export async function shownLink(popup: Page, title: string): Promise<string> {
  await expectStatus(popup, title);
  // The status is there a moment before the link.
  await popup.waitForSelector('output');
  return `http://${await popup.$eval('output', (output) => output.textContent)}`;
}

/** Waits for the first button or link with one of the names, and clicks it. */
export async function press(popup: Page, ...names: string[]): Promise<void> {
  await (await findControl(popup, names)).evaluate((one) => one.click());
}

/** Presses a control that closes the page, as those do that open a tab. The click comes after this call has returned. */
export async function pressToLeave(popup: Page, name: string): Promise<void> {
  await (await findControl(popup, [name])).evaluate((one) => void setTimeout(() => one.click()));
}

/** Presses a key that closes the page, which then never confirms it. */
export function pressToClose(page: Page, key: KeyInput): void {
  page.keyboard.press(key).catch(() => undefined);
}

/** Waits for an element and clicks it, wherever it moves while the page still loads. */
export async function clickOn(page: Page, selector: string): Promise<void> {
  const element = await page.waitForSelector(selector);
  await element?.evaluate((one) => (one as HTMLElement).click());
}

async function findControl(popup: Page, names: string[]): Promise<ElementHandle<HTMLElement>> {
  const control = await popup
    .waitForFunction(
      (wanted) =>
        [...document.querySelectorAll<HTMLElement>('button, a')].find((one) =>
          wanted.includes((one.ariaLabel ?? one.textContent ?? '').trim()),
        ),
      {},
      names,
    )
    .catch(async (cause: unknown) => {
      const there = await labels(popup);
      throw new Error(`No button ${names.join(' or ')} among ${there}`, { cause });
    });
  return control.asElement() as ElementHandle<HTMLElement>;
}

/** Waits until no dialog is rendered: closing one takes a moment. */
export async function dialogIsGone(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('dialog'));
}

export function labels(popup: Page): Promise<string[]> {
  return popup.$$eval('button, a', (controls) =>
    controls.map((one) => (one.ariaLabel ?? one.textContent ?? '').trim()),
  );
}

/** Waits for the control with a label, found as by assistive technology. */
export async function control(popup: Page, label: string) {
  const handle = await popup.waitForFunction(
    (words) =>
      [...document.querySelectorAll('label')].find((one) => one.textContent?.trim() === words)
        ?.control,
    {},
    label,
  );
  return handle.asElement() as ElementHandle<HTMLInputElement>;
}

export async function fill(popup: Page, label: string, text: string): Promise<void> {
  await replaceText(popup, await control(popup, label), text);
}

async function replaceText(
  popup: Page,
  field: ElementHandle<HTMLInputElement>,
  text: string,
): Promise<void> {
  await field.evaluate((input) => {
    input.focus();
    input.select();
  });
  await popup.keyboard.type(text);
}

/** Fills in the field for another URL, which is folded beside a link. */
export async function fillUrl(popup: Page, text: string): Promise<void> {
  // In whatever language.
  await replaceText(popup, await openUrlField(popup), text);
}

export async function openUrlField(popup: Page): Promise<ElementHandle<HTMLInputElement>> {
  await popup.waitForSelector('.url-form');
  await popup.$$eval('.url-form > button', ([button]) => (button as HTMLElement)?.click());
  const field = await popup.waitForSelector('.url-form input');
  return field as ElementHandle<HTMLInputElement>;
}

export async function setDate(popup: Page, local: string): Promise<void> {
  const field = await control(popup, 'Or on a date');
  await field.evaluate((input, value) => {
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, local);
}

export async function choose(popup: Page, label: string): Promise<void> {
  await (await control(popup, label)).evaluate((radio) => radio.click());
}

export async function fieldValue(popup: Page, label: string): Promise<string> {
  return (await control(popup, label)).evaluate((input) => input.value);
}

/** The error message that describes the field. */
export async function issueOf(popup: Page, label: string): Promise<string> {
  return (await control(popup, label)).evaluate((input) =>
    (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id))
      .filter((element) => element?.classList.contains('issue'))
      .map((element) => element?.textContent)
      .join(' '),
  );
}

export function stored(fixture: Fixture): Promise<Stored> {
  return inWorker(fixture, () => chrome.storage.local.get() as Promise<Stored>);
}

/** All links that the extension has stored on disk. */
export async function savedLinks(fixture: Fixture): Promise<SavedLink[]> {
  return Object.values((await stored(fixture)).savedLinks ?? {}).flat();
}

export function saveSettings(fixture: Fixture, settings: object): Promise<void> {
  return inWorker(fixture, (saved) => chrome.storage.local.set({ settings: saved }), settings);
}

/** Ids of the current notifications. Clears them, so that the next ones are new. */
export function notifications(fixture: Fixture): Promise<string[]> {
  return inWorker(fixture, async () => {
    const ids = Object.keys(await chrome.notifications.getAll());
    await Promise.all(ids.map((id) => chrome.notifications.clear(id)));
    return ids;
  });
}

/** Records the text of every notification from now on: the browser only lists their ids. */
export async function recordNotifications(fixture: Fixture): Promise<() => Promise<string[]>> {
  await inWorker(fixture, () => {
    const notificationTexts: string[] = [];
    const { create } = chrome.notifications;
    const record = (options: { title?: string; message?: string }) =>
      notificationTexts.push(`${options.title}\n${options.message}`);
    Object.assign(globalThis, { notificationTexts });
    Object.assign(chrome.notifications, {
      async create(...given: unknown[]) {
        const id = await (create as (...args: unknown[]) => unknown).apply(
          chrome.notifications,
          given,
        );
        record((typeof given[0] === 'string' ? given[1] : given[0]) as object);
        return id;
      },
    });
  });
  return () =>
    inWorker(
      fixture,
      () => (globalThis as unknown as { notificationTexts: string[] }).notificationTexts,
    );
}

/** Clears the badge, and lets the next one stay: it disappears after some seconds otherwise. */
export async function keepBadge(fixture: Fixture): Promise<void> {
  await setTimeoutsOf(fixture, BADGE_MS, 600_000);
  await inWorker(fixture, () => chrome.action.setBadgeText({ text: '' }));
}

/** Lets the background's timeouts of `ms` take another time. */
export function setTimeoutsOf(fixture: Fixture, ms: number, otherMs: number): Promise<void> {
  return inWorker(
    fixture,
    (given, other) => {
      const scope = globalThis as typeof globalThis & { timeouts?: Map<number, number> };
      if (!scope.timeouts) {
        const timeouts = new Map<number, number>();
        const { setTimeout: later } = scope;
        const setOtherTimeout = (run: () => void, delayMs = 0) =>
          later(run, timeouts.get(delayMs) ?? delayMs);
        Object.assign(scope, { timeouts, setTimeout: setOtherTimeout });
      }
      scope.timeouts?.set(given, other);
    },
    ms,
    otherMs,
  );
}

export function badge(fixture: Fixture): Promise<string> {
  return inWorker(fixture, () => chrome.action.getBadgeText({}));
}

export async function targetOf(shortUrl: string): Promise<string | null> {
  return (await fetch(shortUrl, { redirect: 'manual' })).headers.get('location');
}

/** The account of the token that the extension has stored for a server. */
export async function accountAt(fixture: Fixture, baseUrl = fixture.server.baseUrl) {
  const token = (await stored(fixture)).accountTokens[baseUrl] as string;
  return dataOf(await createClient({ baseUrl }).getAccount({ token }));
}

export function saveTokens(fixture: Fixture, tokens: Record<string, string>): Promise<void> {
  return inWorker(fixture, (queued) => chrome.storage.local.set({ accountTokens: queued }), tokens);
}

/** Which entries the context menu has. The API can't list them, but only updates existing ones. */
export function menuEntries(fixture: Fixture, ids: string[]): Promise<string[]> {
  return inWorker(
    fixture,
    async (asked) => {
      const found = await Promise.allSettled(asked.map((id) => chrome.contextMenus.update(id, {})));
      return asked.filter((_, index) => found[index]?.status === 'fulfilled');
    },
    ids,
  );
}
