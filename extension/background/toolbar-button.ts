import { browser } from 'wxt/browser';
import type { LinkMaker } from './link-maker.ts';
import { readSettings } from './settings.ts';
import { shortenQuietly } from './shorten-quietly.ts';

const POPUP_PAGE = 'popup.html';

/**
 * To be called as the worker starts: a listener added later misses the click that woke it. Browsers
 * report a click only while the button has no popup.
 */
export function listenToToolbarButton(makeLink: LinkMaker): void {
  browser.action.onClicked.addListener((tab) => {
    void shortenQuietly(makeLink, {
      address: tab.url,
      isPrivate: tab.incognito,
      missing: 'page_without_address',
    });
  });
  // Browsers forget the choice when they end, and would not start a worker without a listener.
  browser.runtime.onStartup.addListener(() => void applyPopupChoice());
  void applyPopupChoice();
}

/** Gives the button its popup, or takes it away where the user wants one click and no window. */
export async function applyPopupChoice(): Promise<void> {
  const { skipPopup } = await readSettings();
  await browser.action.setPopup({ popup: skipPopup ? '' : POPUP_PAGE });
}
