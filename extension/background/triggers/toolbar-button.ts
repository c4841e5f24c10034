import { type Browser, browser } from 'wxt/browser';
import { WITH_OPTIONS } from '../../messaging/popup-port.ts';
import { readSettings } from '../data/settings.ts';
import type { CreateLink } from '../queue/queue.ts';
import { notifyResult, shortenWithoutPopup } from '../shorten/shorten-without-popup.ts';

const POPUP_PAGE = 'popup.html';

/**
 * To be called as the worker starts: a listener added later misses the click that woke it. Browsers
 * report a click only while the button has no popup.
 */
export function listenToToolbarButton(createLink: CreateLink): void {
  browser.action.onClicked.addListener((tab) => {
    void shortenTab(createLink, tab);
  });
  // Browsers forget the choice when they end, and would not start a worker without a listener.
  browser.runtime.onStartup.addListener(() => void applyPopupChoice());
  void applyPopupChoice();
}

/** @param tab one on which a person has just called the extension: browsers then tell its address */
export function shortenTab(createLink: CreateLink, tab: Browser.tabs.Tab): Promise<void> {
  return shortenWithoutPopup(createLink, {
    address: tab.url,
    tabId: tab.id,
    isPrivate: tab.incognito,
    title: tab.title,
    missing: 'page_without_address',
  });
}

/** Opens the popup with its form, whatever a click on the button does. */
export async function openPopupWithOptions(): Promise<void> {
  try {
    // Not awaited: Firefox opens popups only in the same turn as the person's act.
    void browser.action.setPopup({ popup: `${POPUP_PAGE}${WITH_OPTIONS}` });
    await browser.action.openPopup();
  } catch {
    await notifyResult({ ok: false, code: 'extension_failed' }, await readSettings());
  } finally {
    await applyPopupChoice();
  }
}

/** Gives the button its popup, or takes it away where the user wants one click and no window. */
export async function applyPopupChoice(): Promise<void> {
  const { skipPopup } = await readSettings();
  await browser.action.setPopup({ popup: skipPopup ? '' : POPUP_PAGE });
}
