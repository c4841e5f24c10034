import type { Browser, Page } from 'puppeteer-core';
import { startSite } from './site.ts';

/** Text in the browser's clipboard, read by a page of the test's own. */
export function readClipboard(browser: Browser): Promise<string> {
  return inClipboardPage(browser, (page) => page.evaluate(() => navigator.clipboard.readText()));
}

/** The picture in the browser's clipboard, as a PNG. @throws where there is none */
export async function readClipboardPicture(browser: Browser): Promise<Buffer> {
  const base64 = await inClipboardPage(browser, (page) =>
    page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      if (!item) throw new Error('The clipboard is empty.');
      const bytes = await (await item.getType('image/png')).bytes();
      return (bytes as unknown as { toBase64(): string }).toBase64();
    }),
  );
  return Buffer.from(base64, 'base64');
}

/** Puts text there, so that a test can tell a new copy from an old one. */
export function writeClipboard(browser: Browser, text: string): Promise<void> {
  return inClipboardPage(browser, (page) =>
    page.evaluate((value) => navigator.clipboard.writeText(value), text),
  );
}

/** The clipboard belongs to secure contexts with the focus and the permission: localhost is one. */
async function inClipboardPage<T>(browser: Browser, use: (page: Page) => Promise<T>): Promise<T> {
  const site = await startSite();
  const page = await browser.newPage();
  try {
    await browser
      .defaultBrowserContext()
      .overridePermissions(site.origin, ['clipboard-read', 'clipboard-sanitized-write']);
    await page.goto(site.origin);
    await page.bringToFront();
    return await use(page);
  } finally {
    await page.close();
    await site.stop();
  }
}
