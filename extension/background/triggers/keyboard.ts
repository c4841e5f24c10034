import { type Browser, browser } from 'wxt/browser';
import type { CreateLink } from '../queue/queue.ts';
import { openPopupWithOptions, shortenTab } from './toolbar-button.ts';

/** To be called as the worker starts: a listener added later misses the keys that woke it. */
export function listenToKeyboard(createLink: CreateLink): void {
  browser.commands.onCommand.addListener((command: string, tab?: Browser.tabs.Tab) => {
    if (command === 'shorten-at-once' && tab) void shortenTab(createLink, tab);
    if (command === 'shorten-with-options') void openPopupWithOptions();
  });
}
