import { browser } from 'wxt/browser';

const LINKS_PAGE = 'links.html';

/**
 * Opens the list of all links, or goes to the tab that shows it. Browsers open it in a normal
 * window, whatever window is in front.
 *
 * @param words what is searched for in it
 */
export async function openLinksPage(words = ''): Promise<void> {
  const page = browser.runtime.getURL(`/${LINKS_PAGE}`);
  const url = words ? `${page}#${encodeURIComponent(words)}` : page;
  const [open] = await browser.tabs.query({ url: page });
  if (open?.id === undefined) {
    await browser.tabs.create({ url });
    return;
  }
  await browser.tabs.update(open.id, words ? { url, active: true } : { active: true });
  if (open.windowId !== undefined) await browser.windows.update(open.windowId, { focused: true });
}

/** The words that the page was opened with. @param hash of its address */
export function readSearch(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}
