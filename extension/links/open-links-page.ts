import { browser } from 'wxt/browser';
import { LINKS_PAGE } from '../urls/extension-pages.ts';

/**
 * Opens the links page, or switches to its tab. Browsers open it in a normal window even if a private
 * one has focus.
 *
 * @param words to search for
 */
export async function openLinksPage(words = ''): Promise<void> {
  const page = browser.runtime.getURL(LINKS_PAGE);
  const url = words ? `${page}#${encodeURIComponent(words)}` : page;
  const [open] = await browser.tabs.query({ url: `${page}*` });
  if (open?.id === undefined) {
    await browser.tabs.create({ url });
    return;
  }
  await browser.tabs.update(open.id, words ? { url, active: true } : { active: true });
  if (open.windowId !== undefined) await browser.windows.update(open.windowId, { focused: true });
}

/** The search words from the hash of the page's URL. */
export function readSearch(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}
