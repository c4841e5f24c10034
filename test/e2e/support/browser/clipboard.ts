import type { Browser, Page } from 'puppeteer-core';
import { startSite } from '../servers/site.ts';
import { bringToFront } from './bring-to-front.ts';

/** The text in the browser's clipboard, read by a separate page. */
export function readClipboard(browser: Browser): Promise<string> {
  return inClipboardPage(browser, (page) => page.evaluate(() => navigator.clipboard.readText()));
}

/** The image in the browser's clipboard, as a PNG. @throws if there is none */
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

/** Writes text to the clipboard, so that a test can recognize a new copy. */
export function writeClipboard(browser: Browser, text: string): Promise<void> {
  return inClipboardPage(browser, (page) =>
    page.evaluate((value) => navigator.clipboard.writeText(value), text),
  );
}

/** Ctrl+V in the focused field. Headless browsers take the keys, but not what they mean. */
export async function pasteInto(page: Page): Promise<void> {
  // The browser reads the clipboard while it handles further keys: a key pressed next could come first.
  const pasted = await page.evaluateHandle(() => {
    const isPasted = new Promise((resolve) => {
      addEventListener('input', () => resolve(true), { once: true });
    });
    return { isPasted };
  });
  await page.keyboard.down('Control');
  await page.keyboard.press('v', { commands: ['paste'] });
  await page.keyboard.up('Control');
  await pasted.evaluate(({ isPasted }) => isPasted);
}

/** The clipboard needs a focused page in a secure context, such as localhost, and the permission. */
async function inClipboardPage<T>(browser: Browser, use: (page: Page) => Promise<T>): Promise<T> {
  const site = await startSite();
  const page = await browser.newPage();
  try {
    await browser
      .defaultBrowserContext()
      .overridePermissions(site.origin, ['clipboard-read', 'clipboard-sanitized-write']);
    await page.goto(site.origin);
    await bringToFront(page);
    return await use(page);
  } finally {
    await page.close();
    await site.stop();
  }
}
