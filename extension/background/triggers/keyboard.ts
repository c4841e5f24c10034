import { type Browser, browser } from 'wxt/browser';
import type { Shorten } from '../shorten/shorten.ts';
import { openPopupWithOptions, shortenTab } from './toolbar-button.ts';

/** Call synchronously at startup: a listener added later misses the command that woke the worker. */
export function listenToKeyboard(shorten: Shorten): void {
  browser.commands.onCommand.addListener((command: string, tab?: Browser.tabs.Tab) => {
    if (command === 'shorten-at-once' && tab) void shortenTab(shorten, tab);
    if (command === 'shorten-with-options') void openPopupWithOptions();
  });
}
