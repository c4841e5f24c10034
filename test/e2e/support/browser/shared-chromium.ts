import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import { inject } from 'vitest';
import {
  type Chromium,
  type ChromiumWithExtension,
  driveContext,
  installExtension,
  launch,
} from './chromium.ts';
import { closeAll } from './close-all.ts';
import { executableOf } from './executable.ts';

/** Of this worker. They end with the worker, whose pipes they read. */
let shared: Promise<Browser> | undefined;
let sharedForExtensions: Promise<{ browser: Browser; blank: Page }> | undefined;

/**
 * New pages in a browser that the test files of a worker share. They have cookies and storage of their
 * own, and begin with a clipboard without text from another file.
 */
export async function openSharedChromium(): Promise<Chromium> {
  const executablePath = executableOf('headless');
  shared ??= launchShared(executablePath);
  const browser = await shared;
  const context = await browser.createBrowserContext();
  // As Chromium does for every page; its headless shell does not.
  const session = await browser.target().createCDPSession();
  await session.send('Browser.setPermission', {
    permission: { name: 'clipboard-write' },
    setting: 'granted',
    ...(context.id && { browserContextId: context.id }),
  });
  const chromium = driveContext(context, async () => {
    await context.close();
    // It takes the permission with it.
    await session.detach();
  });
  await chromium.writeClipboard('');
  return chromium;
}

/**
 * The same with an unpacked extension, which is installed anew: nothing is stored, and its background
 * has just started.
 */
export async function openSharedChromiumWithExtension(
  folder = inject('chromeExtensionFolder'),
  options: { isInPrivateWindows?: boolean } = {},
): Promise<ChromiumWithExtension> {
  const executablePath = executableOf('chromium');
  sharedForExtensions ??= launchForExtensions(executablePath);
  const { browser, blank } = await sharedForExtensions;
  const chromium = await installExtension(browser, folder, {
    ...options,
    async close(extensionId) {
      await browser.uninstallExtension(extensionId);
      await closePages();
      await browser.deleteCookie(...(await browser.cookies()));
    },
  });
  /** All but the one that keeps the browser open, and those given. */
  async function closePages(kept?: Page): Promise<void> {
    await closeAll((await browser.pages()).filter((page) => page !== blank && page !== kept));
  }
  await chromium.writeClipboard('');
  return { ...chromium, closePages };
}

async function launchForExtensions(executablePath: string) {
  const browser = await launch({
    executablePath,
    profile: await newProfile(),
    hasExtensions: true,
  });
  const [blank = await browser.newPage()] = await browser.pages();
  return { browser, blank };
}

function newProfile(): Promise<string> {
  return mkdtemp(join(inject('profilesFolder'), 'shared-'));
}

async function launchShared(executablePath: string): Promise<Browser> {
  return launch({
    executablePath,
    profile: await newProfile(),
    // Starting a process for each page takes longer than the page.
    switches: ['--renderer-process-limit=1'],
  });
}
