import { type Browser, browser } from 'wxt/browser';
import { isLoading, titleOf } from '../../urls/tab-title.ts';
import type { TabPage } from './state/view.ts';

/** What a popup needs to know of its tab. */
export function pageOf(tab: Browser.tabs.Tab): TabPage {
  return {
    url: tab.url,
    title: titleOf(tab),
    isPrivate: tab.incognito,
    tabId: tab.id,
    isLoading: isLoading(tab),
  };
}

/** Resolves with a tab's page when it has loaded. */
export function whenLoaded(page: TabPage): Promise<TabPage> {
  return new Promise((resolve) => {
    async function check(): Promise<void> {
      const tab = page.tabId === undefined ? undefined : await browser.tabs.get(page.tabId);
      if (!tab || isLoading(tab)) return;
      browser.tabs.onUpdated.removeListener(check);
      resolve(pageOf(tab));
    }
    browser.tabs.onUpdated.addListener(check);
    // It may have loaded since the popup opened.
    void check();
  });
}
