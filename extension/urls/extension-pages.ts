import { browser } from 'wxt/browser';

/** The paths of the extension's own pages. */
export const POPUP_PAGE = '/popup.html';
/** Hash of the popup's URL: opens the form and shortens nothing on its own. */
export const WITH_OPTIONS = '#options';
/** Hash of the popup's URL: confirms the URL of a notification instead of the tab's. */
export const ABOUT_CONFIRMATION = '#confirm';
/** Prefix of the name of the port that an open popup holds. The popup's id follows. */
export const POPUP_PORT = 'popup:';
export const OPTIONS_PAGE = '/options.html';
export const LINKS_PAGE = '/links.html';
/** My links, with the field for a new link. */
export const NEW_LINK_PAGE = '/links.html?new';
export const STATISTICS_PAGE = '/statistics.html';
export const WELCOME_PAGE = '/welcome.html';
export const OFFSCREEN_PAGE = '/offscreen.html';

/** Returns the page of a QR code, in Firefox. */
export const qrPageOf = (shortUrl: string) => `/qr.html#${encodeURIComponent(shortUrl)}`;

/** Returns the page of a text that would be in a notification. */
export const noticePageOf = (title: string, message: string) =>
  `/notice.html#${encodeURIComponent(`${title}\n${message}`)}`;

/**
 * Opens the links page, or switches to its tab. Browsers open it in a normal window even if a private
 * one has focus.
 *
 * @param words to search for
 */
export async function openLinksPage(words = ''): Promise<void> {
  const page = browser.runtime.getURL(LINKS_PAGE);
  const url = words ? `${page}?${new URLSearchParams({ q: words })}` : page;
  const [open] = await browser.tabs.query({ url: `${page}*` });
  if (open?.id === undefined) {
    await browser.tabs.create({ url });
    return;
  }
  await browser.tabs.update(open.id, words ? { url, active: true } : { active: true });
  if (open.windowId !== undefined) await browser.windows?.update(open.windowId, { focused: true });
}
