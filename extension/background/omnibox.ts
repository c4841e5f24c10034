import { browser } from 'wxt/browser';
import { t } from '../i18n.ts';
import type { LinkMaker } from './link-maker.ts';
import { readAddress } from './read-address.ts';
import { shortenQuietly } from './shorten-quietly.ts';

/** To be called as the worker starts: a listener added later misses the entry that woke it. */
export function listenToOmnibox(makeLink: LinkMaker): void {
  browser.omnibox.setDefaultSuggestion({ description: t('omnibox_hint') });
  browser.omnibox.onInputEntered.addListener((text) => void shortenEntered(makeLink, text));
}

async function shortenEntered(makeLink: LinkMaker, text: string): Promise<void> {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  await shortenQuietly(makeLink, {
    address: readAddress(text),
    // The event does not say which window it comes from. In doubt nothing is kept.
    isPrivate: tab?.incognito ?? true,
    title: undefined,
    missing: 'text_not_address',
  });
}
