import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'puppeteer-core';

/** Delay before a page is inspected, because inspecting it while it loads slows it down. */
const UNWATCHED_MS = 1000;
const TRIES = 20;

export type LoadTimes = { firstContentMs: number; interactiveMs: number };

/** Opens a page in a new tab, with an empty HTTP cache. */
export async function timeLoad(
  browser: Browser,
  url: string,
  { token, selector }: { token: string; selector: string },
): Promise<LoadTimes> {
  const page = await browser.newPage();
  try {
    await page.setCacheEnabled(false);
    await page.evaluateOnNewDocument(noteInteractive, token, selector);
    await page.bringToFront();
    await page.goto(url);
    for (let tries = 0; tries < TRIES; tries++) {
      await setTimeout(UNWATCHED_MS);
      const times = await page.evaluate(() => {
        const at = (name: string) => performance.getEntriesByName(name)[0]?.startTime;
        return { firstContentMs: at('first-contentful-paint'), interactiveMs: at('interactive') };
      });
      const { firstContentMs, interactiveMs } = times;
      if (firstContentMs && interactiveMs) return { firstContentMs, interactiveMs };
    }
    throw new Error(`${url} shows no ${selector}.`);
  } finally {
    await page.close();
  }
}

/** Signs in. Records when the element is there and the main thread takes the next task. */
function noteInteractive(token: string, selector: string): void {
  if (location.protocol !== 'http:') return;
  sessionStorage.setItem('curt-token', token);
  new MutationObserver((_, observer) => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    window.setTimeout(() => performance.mark('interactive'));
  }).observe(document, { childList: true, subtree: true });
}
