import type { Page } from 'puppeteer-core';

/** Makes a page the active tab, and waits for its focus, which comes a moment later. */
export async function bringToFront(page: Page): Promise<void> {
  await page.bringToFront();
  await page.waitForFunction(() => document.hasFocus());
}
