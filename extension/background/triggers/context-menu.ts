import { type Browser, browser } from 'wxt/browser';
import { createKeyedMutex } from '../../../shared/keyed-mutex.ts';
import { findUrl } from '../../address/find-url.ts';
import { type MessageKey, t } from '../../i18n/translate.ts';
import { openLinksPage } from '../../links/open-links-page.ts';
import type { CreateLink } from '../queue/queue.ts';
import { shortenWithoutPopup } from '../shorten/shorten-without-popup.ts';
import { openPopupWithOptions } from './toolbar-button.ts';

type Click = Browser.contextMenus.OnClickData;
type Entry = {
  context: 'link' | 'page' | 'selection';
  /** Shown on links to these alone. */
  targetUrlPatterns?: string[];
  title: MessageKey;
  addressOf(click: Click, tab: Browser.tabs.Tab | undefined): string | undefined;
  /** Whether the address is that of the tab's page. */
  isTab?: true;
  titleOf?(click: Click, tab: Browser.tabs.Tab | undefined): string | undefined;
};

/** On the toolbar button, which may have no popup of its own. */
const OPEN_WITH_OPTIONS = 'open-with-options';
const OPEN_LINKS = 'open-links';

const ENTRIES: Record<string, Entry> = {
  'shorten-link': {
    context: 'link',
    title: 'menu_link',
    // Not on mailto:, tel:, javascript: and others, which have no short link.
    targetUrlPatterns: ['http://*/*', 'https://*/*'],
    addressOf: ({ linkUrl }) => linkUrl,
    // Firefox alone tells a link's text.
    titleOf: (click: Click & { linkText?: string }) => click.linkText,
  },
  'shorten-page': {
    context: 'page',
    title: 'menu_page',
    addressOf: ({ pageUrl }, tab) => tab?.url ?? pageUrl,
    titleOf: (_, tab) => tab?.title,
    isTab: true,
  },
  'shorten-selection': {
    context: 'selection',
    title: 'menu_selection',
    addressOf: ({ selectionText }) => findUrl(selectionText),
  },
};

/** To be called as the worker starts: a listener added later misses the click that woke it. */
export function listenToContextMenu(createLink: CreateLink): void {
  browser.contextMenus.onClicked.addListener((click, tab) => {
    if (click.menuItemId === OPEN_WITH_OPTIONS) return void openPopupWithOptions();
    if (click.menuItemId === OPEN_LINKS) return void openLinksPage();
    const entry = ENTRIES[click.menuItemId];
    if (!entry) return;
    void shortenWithoutPopup(createLink, {
      address: entry.addressOf(click, tab),
      ...(entry.isTab && { tabId: tab?.id }),
      // A click outside of tabs does not say which window it comes from. In doubt nothing is kept.
      isPrivate: tab?.incognito ?? true,
      title: entry.titleOf?.(click, tab),
      missing: entry.context === 'selection' ? 'selection_not_address' : 'page_without_address',
    });
  });
}

/** An update may come as the browser starts: an entry that is made twice is an error. */
const runExclusive = createKeyedMutex();

/** Browsers keep the entries, with the words of the language that they had. */
export function createContextMenu(): Promise<void> {
  return runExclusive('', async () => {
    await browser.contextMenus.removeAll();
    for (const [id, { context, title, targetUrlPatterns }] of Object.entries(ENTRIES)) {
      browser.contextMenus.create({
        id,
        title: t(title),
        contexts: [context],
        ...(targetUrlPatterns && { targetUrlPatterns }),
      });
    }
    browser.contextMenus.create({
      id: OPEN_WITH_OPTIONS,
      title: t('command_with_options'),
      contexts: ['action'],
    });
    browser.contextMenus.create({ id: OPEN_LINKS, title: t('links_title'), contexts: ['action'] });
  });
}
