import { cp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'puppeteer-core';
import type { browser } from 'wxt/browser';
import { buildExtensions } from '../e2e/support/build-extension.ts';
import {
  type ChromiumWithExtension,
  launchChromiumWithExtension,
} from '../e2e/support/chromium.ts';
import { findOrInstallBrowser } from '../e2e/support/find-browser.ts';
import { startServer } from '../e2e/support/server.ts';
import { startSite } from '../e2e/support/site.ts';

/** In the extension's own worker, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

/** Openings before those that count: the first opens the account and fills the caches. */
const WARM_UPS = 2;
const COPIED = 'Short link copied';
/** As little as a popup can show. */
const BARE_POPUP = '<!doctype html><title>Curt</title><p>Curt</p>';

/** Milliseconds, a number for each opening. */
export type PopupTimes = {
  /** From the popup's opening to its first content. */
  firstContent: number[];
  /** From the click on the button to the short link in the clipboard. */
  copied: number[];
  /** From the opening of a popup of one word to its first content. */
  bareFirstContent: number[];
  /** From the click on the button to that. */
  bareShown: number[];
};

/** Opens the popup in a real Chromium on one page after the other, the server on loopback. */
export async function timePopup(openings: number): Promise<PopupTimes> {
  const executablePath = await findOrInstallBrowser('chromium');
  const extensions = await buildExtensions();
  const bare = join(dirname(extensions.chrome), 'bare');
  await cp(extensions.chrome, bare, { recursive: true });
  await writeFile(join(bare, 'popup.html'), BARE_POPUP);
  const [server, site] = await Promise.all([startServer(), startSite()]);
  const times: PopupTimes = { firstContent: [], copied: [], bareFirstContent: [], bareShown: [] };

  async function open(
    folder: string,
    note: (popup: Page, clickedAtMs: number) => Promise<void>,
  ): Promise<void> {
    const chromium = await launchChromiumWithExtension(folder, { executablePath });
    try {
      await useServer(chromium, server.baseUrl);
      for (let opening = 0; opening < WARM_UPS + openings; opening++) {
        const page = await chromium.openPage(`${site.origin}/page-${opening}`);
        const clickedAtMs = performance.timeOrigin + performance.now();
        const popup = await chromium.clickToolbarButton(page);
        await note(popup, clickedAtMs);
        await popup.close();
        await page.close();
      }
    } finally {
      await chromium.close();
    }
  }

  try {
    await open(bare, async (popup, clickedAtMs) => {
      const { shownAtMs, sinceOpenedMs } = await firstContentOf(popup);
      times.bareFirstContent.push(sinceOpenedMs);
      times.bareShown.push(shownAtMs - clickedAtMs);
    });
    await open(extensions.chrome, async (popup, clickedAtMs) => {
      times.copied.push((await whenCopied(popup)) - clickedAtMs);
      times.firstContent.push((await firstContentOf(popup)).sinceOpenedMs);
    });
  } finally {
    await Promise.all([server.stop(), site.stop(), extensions.remove()]);
  }
  for (const measured of Object.values(times)) measured.splice(0, WARM_UPS);
  return times;
}

async function useServer(chromium: ChromiumWithExtension, origin: string): Promise<void> {
  await chromium.worker.evaluate(async (serverOrigin) => {
    await chrome.storage.local.set({ settings: { serverOrigin } });
  }, origin);
}

/** Looked at as soon as the driver has found the popup, so rather too late than too early. */
async function whenCopied(popup: Page): Promise<number> {
  const copied = await popup.waitForFunction(
    (words) =>
      document.querySelector('[role=status] p')?.textContent === words &&
      performance.timeOrigin + performance.now(),
    { polling: 'mutation' },
    COPIED,
  );
  return (await copied.jsonValue()) as number;
}

/** When the browser first drew anything, as it has noted itself. */
async function firstContentOf(popup: Page) {
  const noted = await popup.waitForFunction(() => {
    const sinceOpenedMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    return sinceOpenedMs && { sinceOpenedMs, shownAtMs: performance.timeOrigin + sinceOpenedMs };
  });
  return (await noted.jsonValue()) as { sinceOpenedMs: number; shownAtMs: number };
}
