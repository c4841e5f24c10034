import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'puppeteer-core';

const ASK_AGAIN_MS = 5000;
/** Longer than it takes to write a profile to the disk. */
const END_MS = 30_000;

/** Resolves when all of these are closed, whether by this or by themselves. */
export async function closeAll(pages: Page[]): Promise<void> {
  await Promise.all(pages.map((page) => closeBy(() => page.close())));
}

/** Lets `page.close()` do the same. */
export function closeSurely(page: Page): Page {
  const ask = page.close.bind(page);
  page.close = () => closeBy(ask);
  return page;
}

async function closeBy(ask: () => Promise<void>): Promise<void> {
  // Rejects if the page closes by itself: a popup with its tab, a window by its own script.
  const closing = ask().then(
    () => true,
    () => true,
  );
  // Chromium can forget the request when a page of another process is just replacing this one.
  // Puppeteer would wait for the end forever.
  const isClosed = await Promise.race([closing, sleep(ASK_AGAIN_MS, false, { ref: false })]);
  if (!isClosed) await closeBy(ask);
}

/** Ends a browser, also one that does not end by itself: Puppeteer would wait for that forever. */
export async function endBrowser(browser: Browser | undefined): Promise<void> {
  const killing = setTimeout(() => browser?.process()?.kill('SIGKILL'), END_MS);
  await browser?.close();
  clearTimeout(killing);
}
