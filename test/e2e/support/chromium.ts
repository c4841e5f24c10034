import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { inject } from 'vitest';
import { readClipboard, readClipboardPicture, writeClipboard } from './clipboard.ts';
import { type ExtensionWorker, extensionWorker } from './extension-worker.ts';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--lang=en-US',
  // What a test forgets to intercept fails at once, and never leaves the machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];
const APPEAR_TIMEOUT_MS = 10_000;

export type PageOptions = {
  /** @default true */
  javaScript?: boolean;
  /** What the page's `prefers-color-scheme` says. */
  colorScheme?: 'light' | 'dark';
};

export type Chromium = {
  browser: Browser;
  /** A tab of its own, at `url`, in front. */
  openPage(url: string, options?: PageOptions): Promise<Page>;
  readClipboard(): Promise<string>;
  readClipboardPicture(): Promise<Buffer>;
  writeClipboard(text: string): Promise<void>;
  close(): Promise<void>;
};

export type ChromiumWithExtension = Chromium & {
  extensionId: string;
  worker: ExtensionWorker;
  /**
   * Clicks the extension's button in the toolbar with `page` in front, as a person does: the popup
   * opens and sees that tab's URL and title. It gets the focus a moment after it has loaded, and
   * Chromium refuses it the clipboard until then. It closes by `popup.close()`, and when another
   * tab comes to the front, as it does for `readClipboard()`.
   */
  clickToolbarButton(page: Page): Promise<Page>;
  /** The same where the button has no popup. */
  clickQuietToolbarButton(page: Page): Promise<void>;
  /** A page of the extension in a tab, as `options.html`. */
  openExtensionPage(path: string): Promise<Page>;
  /**
   * Chooses an entry of the extension's context menu on `page`.
   * @param click as Chromium reports it: `{ menuItemId, linkUrl }`, `{ menuItemId, selectionText }`, …
   */
  clickContextMenu(click: ContextMenuClick, page: Page): Promise<void>;
  /** Presses the keys of a command with `page` in front. Like the click it grants nothing. */
  pressShortcut(command: string, page: Page): Promise<void>;
  /** Enters text in the address bar after the extension's keyword, with `page` in front. */
  enterInOmnibox(text: string, page: Page): Promise<void>;
};

/** A tab as the extension sees it once a person has called it there. */
type SeenTab = { url: string; title: string };

export type ContextMenuClick = {
  menuItemId: string;
  linkUrl?: string;
  pageUrl?: string;
  selectionText?: string;
};

export type ChromiumOptions = {
  /** Of the browser, for what is no test. @default the one that the tests found */
  executablePath?: string | undefined;
  /** Switches beside the usual; one that is there already takes the usual one's place. */
  switches?: string[];
  /** @default a new one, which goes with the browser */
  profile?: string | undefined;
};

/** A headless Chromium with a fresh profile and no extension. */
export async function launchChromium({
  executablePath = inject('chromiumPath'),
  switches = [],
  profile,
}: ChromiumOptions = {}): Promise<Chromium> {
  const browser = await puppeteer.launch({
    executablePath,
    headless: true,
    pipe: true,
    enableExtensions: true,
    ...(profile && { userDataDir: profile }),
    args: [...ARGUMENTS, ...switches],
    // Chromium on Linux takes the language of its own strings from here.
    env: { ...process.env, LANGUAGE: 'en_US', LANG: 'en_US.UTF-8' },
  });
  return {
    browser,
    openPage: (url, options) => openPage(browser, url, options),
    readClipboard: () => readClipboard(browser),
    readClipboardPicture: () => readClipboardPicture(browser),
    writeClipboard: (text) => writeClipboard(browser, text),
    close: () => browser.close(),
  };
}

export type ExtensionOptions = ChromiumOptions & {
  /** Whether the page that the extension opens when it is installed stays open. @default false */
  keepsFirstSteps?: boolean;
  /** Whether the user lets it into private windows. @default false */
  isInPrivateWindows?: boolean;
};

/** The same with an unpacked extension loaded: by default the one just built. */
export async function launchChromiumWithExtension(
  folder = inject('chromeExtensionFolder'),
  { keepsFirstSteps = false, isInPrivateWindows = false, ...options }: ExtensionOptions = {},
): Promise<ChromiumWithExtension> {
  const profile = await profileWithButton(folder);
  const chromium = await launchChromium({ ...options, profile });
  const { browser } = chromium;
  const extensionId = await browser.installExtension(folder, {
    enabledInIncognito: isInPrivateWindows,
  });
  const origin = `chrome-extension://${extensionId}`;

  const firstSteps = await browser.waitForTarget(
    (target) => target.url() === `${origin}/welcome.html`,
    { timeout: APPEAR_TIMEOUT_MS },
  );
  if (!keepsFirstSteps) await (await firstSteps.asPage()).close();

  const worker = await extensionWorker(browser, origin);

  async function clickButton(page: Page): Promise<void> {
    const extension = (await browser.extensions()).get(extensionId);
    if (!extension) throw new Error(`No extension ${extensionId} is loaded.`);
    await page.bringToFront();
    await page.triggerExtensionAction(extension);
  }

  return {
    ...chromium,
    async close() {
      await chromium.close();
      await rm(profile, { recursive: true, maxRetries: 5 });
    },
    extensionId,
    worker,
    clickQuietToolbarButton: clickButton,
    async clickToolbarButton(page) {
      const before = new Set(browser.targets());
      await clickButton(page);
      const target = await browser.waitForTarget(
        (candidate) => !before.has(candidate) && candidate.url().startsWith(`${origin}/popup.html`),
        { timeout: APPEAR_TIMEOUT_MS },
      );
      return target.asPage();
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
    openExtensionPage: (path) => openPage(browser, `${origin}/${path}`),
    async clickContextMenu(click, page) {
      await page.bringToFront();
      const seen = { url: page.url(), title: await page.title() };
      await worker.evaluate(dispatchContextMenuClick, click, seen);
    },
  };
}

/**
 * A profile in which the extension's button stands in the toolbar, as users pin it. Chromium slides
 * one that is not pinned out of its menu before a popup opens, which takes a quarter of a second.
 */
async function profileWithButton(folder: string): Promise<string> {
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  const id = digest.replace(/./g, (digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)] ?? '');
  const profile = await mkdtemp(join(tmpdir(), 'curt-profile-'));
  await mkdir(join(profile, 'Default'));
  const preferences = { extensions: { pinned_extensions: [id] } };
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
  return profile;
}

async function openPage(
  browser: Browser,
  url: string,
  { javaScript = true, colorScheme }: PageOptions = {},
): Promise<Page> {
  const page = await browser.newPage();
  await page.setJavaScriptEnabled(javaScript);
  if (colorScheme) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: colorScheme }]);
  }
  await page.goto(url);
  await page.bringToFront();
  return page;
}

/**
 * Runs in the background. A person's click grants `activeTab`, so the listener sees the tab's URL
 * and title; a dispatched one grants nothing, so they are put in.
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

/** The little of `chrome` that is used here; `dispatch` is Chromium's own and in no declaration. */
type ExtensionApi = {
  tabs: { query(filter: { active: boolean; lastFocusedWindow: boolean }): Promise<object[]> };
  commands: { onCommand: { dispatch(command: string, tab: object): void } };
  omnibox: { onInputEntered: { dispatch(text: string, disposition: string): void } };
  contextMenus: { onClicked: { dispatch(click: object, tab: object): void } };
};
