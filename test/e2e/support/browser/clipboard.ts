import type { BrowserContext, Page } from 'puppeteer-core';
import { startSite } from '../servers/site.ts';
import { bringToFront } from './bring-to-front.ts';
import { closeAll } from './close-all.ts';

/** The text in the browser's clipboard, read by a separate page. */
export function readClipboard(context: BrowserContext): Promise<string> {
  return inClipboardPage(context, (page) => page.evaluate(() => navigator.clipboard.readText()));
}

/** The image in the browser's clipboard, as a PNG. @throws if there is none */
export async function readClipboardPicture(context: BrowserContext): Promise<Buffer> {
  const base64 = await inClipboardPage(context, (page) =>
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
export function writeClipboard(context: BrowserContext, text: string): Promise<void> {
  return inClipboardPage(context, (page) =>
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
async function inClipboardPage<T>(
  context: BrowserContext,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const site = await startSite();
  const page = await context.newPage();
  try {
    await context.overridePermissions(site.origin, ['clipboard-read', 'clipboard-sanitized-write']);
    await page.goto(site.origin);
    await bringToFront(page);
    return await use(page);
  } finally {
    await closeAll([page]);
    await site.stop();
  }
}
