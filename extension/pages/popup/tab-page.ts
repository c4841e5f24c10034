import { type Browser, browser } from 'wxt/browser';
import type { Reply } from '../../messaging/protocol.ts';
import type { Send } from '../../messaging/send.ts';
import { isLoading, titleOf } from '../../urls/tab-title.ts';
import type { TabPage } from './state/popup-model.ts';

/** Returns what a popup needs to know of its tab. */
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

type StartRequest = {
  page: Promise<TabPage>;
  isForOptions: boolean;
  /** The host that was chosen. */
  domain?: string | undefined;
  popupId: string;
  send: Send;
};

/** Requests the short link of the tab's page, or what to decide first. */
export async function requestStart({
  page,
  send,
  ...request
}: StartRequest): Promise<Reply<'startPopup'>> {
  const { title: pageTitle, ...tab } = await page;
  return send('startPopup', { ...tab, ...request, pageTitle, requestId: crypto.randomUUID() });
}
