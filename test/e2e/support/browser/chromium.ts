import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, {
  type Browser,
  type BrowserContext,
  type Page,
  type Target,
} from 'puppeteer-core';
import { inject } from 'vitest';
import { bringToFront } from './bring-to-front.ts';
import { readClipboard, readClipboardPicture, writeClipboard } from './clipboard.ts';
import { closeAll, closeSurely, endBrowser } from './close-all.ts';
import { collectDownloads, type Downloads } from './downloads.ts';
import { executableOf } from './executable.ts';
import { type ExtensionWorker, extensionWorker } from './extension-worker.ts';

/** A busy machine needs minutes for what takes a second alone. */
const WAIT_MS = 120_000;
const LAUNCH_MS = 300_000;

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--lang=en-US',
  // Requests that a test doesn't intercept fail at once and never leave the machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

export type PageOptions = {
  /** @default true */
  javaScript?: boolean;
  /** The page's `prefers-color-scheme`. */
  colorScheme?: 'light' | 'dark';
};

export type Chromium = {
  browser: Browser;
  /** What its pages share: cookies and storage. */
  context: BrowserContext;
  /** Opens `url` in a new active tab. */
  openPage(url: string, options?: PageOptions): Promise<Page>;
  /** Waits for a page that something else opens, in whichever context. */
  findPage(isIt: (target: Target) => boolean): Promise<Page>;
  /** Closes all pages, but for one. */
  closePages(kept?: Page): Promise<void>;
  /** Sends the downloads of its pages to a folder, until these are stopped. */
  collectDownloads(): Promise<Downloads>;
  readClipboard(): Promise<string>;
  readClipboardPicture(): Promise<Buffer>;
  writeClipboard(text: string): Promise<void>;
  close(): Promise<void>;
};

export type ChromiumWithExtension = Chromium & {
  extensionId: string;
  worker: ExtensionWorker;
  /**
   * Clicks the toolbar button with `page` as the active tab: the popup opens and can read the tab's URL
   * and title. It gets the focus a moment after it has loaded, and can't use the clipboard until then.
   * It closes with `popup.close()`, and when another tab becomes active, as for `readClipboard()`.
   */
  clickToolbarButton(page: Page): Promise<Page>;
  /** The same for a button without a popup. */
  clickQuietToolbarButton(page: Page): Promise<void>;
  /** Opens an extension page such as `options.html` in a tab. */
  openExtensionPage(path: string): Promise<Page>;
  /**
   * Chooses an entry of the extension's context menu on `page`.
   * @param click as Chromium reports it: `{ menuItemId, linkUrl }`, `{ menuItemId, selectionText }`, …
   */
  clickContextMenu(click: ContextMenuClick, page: Page): Promise<void>;
  /** Runs a command with `page` as the active tab. Like the menu click, it doesn't grant `activeTab`. */
  pressShortcut(command: string, page: Page): Promise<void>;
  /** Enters text after the extension's keyword in the address bar, with `page` as the active tab. */
  enterInOmnibox(text: string, page: Page): Promise<void>;
};

/** A tab as the extension sees it after a user gesture. */
type SeenTab = { url: string; title: string };

export type ContextMenuClick = {
  menuItemId: string;
  linkUrl?: string;
  srcUrl?: string;
  pageUrl?: string;
  selectionText?: string;
};

export type ChromiumOptions = {
  /** The browser's executable, for use outside tests. @default the one that the tests found */
  executablePath?: string;
  /** Additional switches. They override the defaults. */
  switches?: string[];
  /** @default a temporary one, removed with the browser */
  profile?: string | undefined;
};

/**
 * A headless Chromium with a fresh profile and no extension. Without Chromium, the test ends before
 * this returns a promise, so that nothing is started beside it.
 */
export async function launchChromium(options: ChromiumOptions = {}): Promise<Chromium> {
  const { executablePath = executableOf('chromium') } = options;
  const browser = await launch({ ...options, executablePath });
  return driveContext(browser.defaultBrowserContext(), () => endBrowser(browser));
}

export function launch({
  executablePath,
  switches = [],
  profile,
  hasExtensions = false,
}: ChromiumOptions & { executablePath: string; hasExtensions?: boolean }): Promise<Browser> {
  return puppeteer.launch({
    executablePath,
    headless: true,
    timeout: LAUNCH_MS,
    pipe: true,
    enableExtensions: hasExtensions,
    ...(profile && { userDataDir: profile }),
    args: [...ARGUMENTS, ...switches],
    // Sets the language of Chromium's own texts on Linux.
    env: { ...process.env, LANGUAGE: 'en_US', LANG: 'en_US.UTF-8' },
  });
}

/** What tests do with the pages of one context. */
export function driveContext(context: BrowserContext, close: () => Promise<void>): Chromium {
  return {
    browser: context.browser(),
    context,
    openPage: (url, options) => openPage(context, url, options),
    findPage: (isIt) => findPage(context.browser(), isIt),
    async closePages(kept) {
      await closeAll((await context.pages()).filter((page) => page !== kept));
    },
    collectDownloads: () => collectDownloads(context),
    readClipboard: () => readClipboard(context),
    readClipboardPicture: () => readClipboardPicture(context),
    writeClipboard: (text) => writeClipboard(context, text),
    close,
  };
}

export type ExtensionOptions = ChromiumOptions & {
  /** Keeps the page open that the extension opens on installation. @default false */
  keepsFirstSteps?: boolean;
  /** Allows the extension in private windows. @default false */
  isInPrivateWindows?: boolean;
  /** As if the user had switched them off for the extension. @default false */
  deniesNotifications?: boolean;
};

/** The same with an unpacked extension, by default the one just built. */
export function launchChromiumWithExtension(
  folder = inject('chromeExtensionFolder'),
  options: ExtensionOptions = {},
): Promise<ChromiumWithExtension> {
  const { executablePath = executableOf('chromium') } = options;
  return launchWithExtension(folder, { ...options, executablePath });
}

async function launchWithExtension(
  folder: string,
  {
    keepsFirstSteps = false,
    isInPrivateWindows = false,
    deniesNotifications = false,
    ...options
  }: ExtensionOptions & { executablePath: string },
): Promise<ChromiumWithExtension> {
  const profile = await profileWithButton(folder, deniesNotifications);
  const browser = await launch({ ...options, profile, hasExtensions: true });
  return installExtension(browser, folder, {
    keepsFirstSteps,
    isInPrivateWindows,
    async close() {
      await endBrowser(browser);
      await rm(profile, { recursive: true, force: true, maxRetries: 20 });
    },
  });
}

/** Adds an unpacked extension to a browser that allows it. */
export async function installExtension(
  browser: Browser,
  folder: string,
  {
    keepsFirstSteps = false,
    isInPrivateWindows = false,
    close,
  }: Pick<ExtensionOptions, 'keepsFirstSteps' | 'isInPrivateWindows'> & {
    close: (extensionId: string) => Promise<void>;
  },
): Promise<ChromiumWithExtension> {
  const context = browser.defaultBrowserContext();
  const extensionId = await browser.installExtension(folder, {
    enabledInIncognito: isInPrivateWindows,
  });
  const origin = `chrome-extension://${extensionId}`;

  const isFirstSteps = (target: Target) => target.url() === `${origin}/welcome.html`;
  // With a second session on a page that stays open in the background, nothing in it that waits would go on.
  if (keepsFirstSteps) await browser.waitForTarget(isFirstSteps, { timeout: WAIT_MS });
  else await (await findPage(browser, isFirstSteps)).close();

  const worker = await extensionWorker(browser, origin);

  async function clickButton(page: Page): Promise<void> {
    const extension = (await browser.extensions()).get(extensionId);
    if (!extension) throw new Error(`No extension ${extensionId} is loaded.`);
    await page.bringToFront();
    await page.triggerExtensionAction(extension);
  }

  return {
    ...driveContext(context, () => close(extensionId)),
    extensionId,
    worker,
    clickQuietToolbarButton: clickButton,
    async clickToolbarButton(page) {
      const before = new Set(browser.targets());
      await clickButton(page);
      return findPage(
        browser,
        (target) => !before.has(target) && target.url().startsWith(`${origin}/popup.html`),
      );
    },
    async pressShortcut(command, page) {
      await page.bringToFront();
      const seen = { url: page.url(), title: await page.title() };
      await worker.evaluate(dispatchCommand, command, seen);
    },
    async enterInOmnibox(text, page) {
      await page.bringToFront();
      await worker.evaluate(
        (entered) =>
          (
            globalThis as unknown as { chrome: ExtensionApi }
          ).chrome.omnibox.onInputEntered.dispatch(entered, 'currentTab'),
        text,
      );
    },
    openExtensionPage: (path) => openPage(context, `${origin}/${path}`),
    async clickContextMenu(click, page) {
      await page.bringToFront();
      const seen = { url: page.url(), title: await page.title() };
      await worker.evaluate(dispatchContextMenuClick, click, seen);
    },
  };
}

/** The id that Chromium gives to an unpacked extension without a key. */
export function unpackedId(folder: string): string {
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  return digest.replace(/./g, (digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)] ?? '');
}

/**
 * A profile with the extension's button pinned to the toolbar. Chromium animates an unpinned button
 * before its popup opens, which takes a quarter of a second.
 */
async function profileWithButton(folder: string, deniesNotifications: boolean): Promise<string> {
  const profile = await mkdtemp(join(tmpdir(), 'curt-profile-'));
  await mkdir(join(profile, 'Default'));
  const ids = [unpackedId(folder)];
  const preferences = {
    extensions: { pinned_extensions: ids },
    ...(deniesNotifications && { message_center: { disabled_extension_ids: ids } }),
  };
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
  return profile;
}

async function findPage(browser: Browser, isIt: (target: Target) => boolean): Promise<Page> {
  const target = await browser.waitForTarget(isIt, { timeout: WAIT_MS });
  const page = closeSurely(await target.asPage());
  page.setDefaultTimeout(WAIT_MS);
  return page;
}

async function openPage(
  context: BrowserContext,
  url: string,
  { javaScript = true, colorScheme }: PageOptions = {},
): Promise<Page> {
  const page = closeSurely(await context.newPage());
  page.setDefaultTimeout(WAIT_MS);
  if (!javaScript) await page.setJavaScriptEnabled(false);
  if (colorScheme) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: colorScheme }]);
  }
  await page.goto(url);
  if (javaScript) await bringToFront(page);
  else await page.bringToFront();
  return page;
}

/**
 * Runs in the background. A real click grants `activeTab`, so the listener can read the tab's URL and
 * title. A dispatched event grants nothing, so they are added here.
 */
async function dispatchContextMenuClick(click: ContextMenuClick, seen: SeenTab): Promise<void> {
  const { tabs, contextMenus } = (globalThis as unknown as { chrome: ExtensionApi }).chrome;
  const [tab] = await tabs.query({ active: true, lastFocusedWindow: true });
  contextMenus.onClicked.dispatch(
    { editable: false, pageUrl: seen.url, ...click },
    { ...tab, ...seen },
  );
}

async function dispatchCommand(command: string, seen: SeenTab): Promise<void> {
  const { tabs, commands } = (globalThis as unknown as { chrome: ExtensionApi }).chrome;
  const [tab] = await tabs.query({ active: true, lastFocusedWindow: true });
  commands.onCommand.dispatch(command, { ...tab, ...seen });
}

/** The parts of `chrome` used here. `dispatch` is internal to Chromium and has no type. */
type ExtensionApi = {
  tabs: { query(filter: { active: boolean; lastFocusedWindow: boolean }): Promise<object[]> };
  commands: { onCommand: { dispatch(command: string, tab: object): void } };
  omnibox: { onInputEntered: { dispatch(text: string, disposition: string): void } };
  contextMenus: { onClicked: { dispatch(click: object, tab: object): void } };
};
