import { type Browser, browser } from 'wxt/browser';
import { POPUP_PAGE, WITH_OPTIONS } from '../../urls/extension-pages.ts';
import { isLoading, titleOf } from '../../urls/tab-title.ts';
import { readSettings } from '../data/settings.ts';
import type { Shorten } from '../shorten/shorten.ts';
import { notifyResult, shortenWithoutPopup } from '../shorten/shorten-without-popup.ts';

/**
 * Call synchronously at startup: a listener added later misses the click that woke the worker.
 * Browsers fire the event only while the button has no popup.
 */
export function listenToToolbarButton(shorten: Shorten): void {
  browser.action.onClicked.addListener((tab) => {
    void shortenTab(shorten, tab);
  });
  // Browsers reset the popup on exit, and only start the worker at startup if there is a listener.
  browser.runtime.onStartup.addListener(() => void applyPopupSetting());
  void applyPopupSetting();
}

/** @param tab on which the user has just invoked the extension, which grants access to its URL */
function shortenTab(shorten: Shorten, tab: Browser.tabs.Tab): Promise<void> {
  return shortenWithoutPopup(shorten, {
    url: tab.url,
    tabId: tab.id,
    isPrivate: tab.incognito,
    title: titleOf(tab),
    isLoading: isLoading(tab),
    missing: 'page_without_url',
  });
}

/** Opens the popup with its form, even if the button does not open the popup. */
export async function openPopupWithOptions(): Promise<void> {
  try {
    // Not awaited: Firefox opens the popup only synchronously in a user action.
    void browser.action.setPopup({ popup: `${POPUP_PAGE}${WITH_OPTIONS}` });
    await browser.action.openPopup();
  } catch {
    await notifyResult({ ok: false, code: 'extension_failed' }, await readSettings());
  } finally {
    await applyPopupSetting();
  }
}

/** Sets the button's popup, or removes it if a click shortens without the popup. */
export async function applyPopupSetting(): Promise<void> {
  const { skipPopup } = await readSettings();
  await browser.action.setPopup({ popup: skipPopup ? '' : POPUP_PAGE });
}

/** Call synchronously at startup: a listener added later misses the command that woke the worker. */
export function listenToKeyboard(shorten: Shorten): void {
  // Firefox for Android has no shortcuts.
  browser.commands?.onCommand.addListener((command: string, tab?: Browser.tabs.Tab) => {
    if (command === 'shorten-at-once' && tab) void shortenTab(shorten, tab);
    if (command === 'shorten-with-options') void openPopupWithOptions();
  });
}
