import { type Browser, browser } from 'wxt/browser';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { createKeyedMutex } from '../../../shared/keyed-mutex.ts';
import { findUrl } from '../../../shared/links/url-in-text.ts';
import { openLinksPage } from '../../urls/extension-pages.ts';
import { isLoading, titleOf } from '../../urls/tab-title.ts';
import type { Shorten } from '../shorten/shorten.ts';
import { shortenWithoutPopup } from '../shorten/shorten-without-popup.ts';
import { openPopupWithOptions } from './toolbar-button.ts';

type Click = Browser.contextMenus.OnClickData;
type MenuItem = {
  context: 'link' | 'page' | 'selection' | 'image' | 'video' | 'audio';
  /** The links, images and the like on which the item is shown. */
  targetUrlPatterns?: string[];
  title: MessageKey;
  urlOf(click: Click, tab: Browser.tabs.Tab | undefined): string | undefined;
  /** Whether the URL is that of the tab's page. */
  isTab?: true;
  titleOf?(click: Click, tab: Browser.tabs.Tab | undefined): string | undefined;
};

/** In the toolbar button's menu, since the button may not open the popup. */
const OPEN_WITH_OPTIONS = 'open-with-options';
const OPEN_LINKS = 'open-links';

/** Others, such as mailto:, data: and blob:, cannot be shortened. */
const WEB_ONLY = ['http://*/*', 'https://*/*'];

const MENU_ITEMS: Record<string, MenuItem> = {
  'shorten-link': {
    context: 'link',
    title: 'menu_link',
    targetUrlPatterns: WEB_ONLY,
    urlOf: ({ linkUrl }) => linkUrl,
    // Only Firefox provides the link's text.
    titleOf: (click: Click & { linkText?: string }) => click.linkText,
  },
  'shorten-page': {
    context: 'page',
    title: 'menu_page',
    urlOf: ({ pageUrl }, tab) => tab?.url ?? pageUrl,
    titleOf: (_, tab) => tab && titleOf(tab),
    isTab: true,
  },
  'shorten-selection': {
    context: 'selection',
    title: 'menu_selection',
    urlOf: ({ selectionText }) => findUrl(selectionText),
  },
  'shorten-image': mediaItem('image', 'menu_image'),
  'shorten-video': mediaItem('video', 'menu_video'),
  'shorten-audio': mediaItem('audio', 'menu_audio'),
};

/** Also for the tab of a picture or a film, which has no page around it. */
function mediaItem(context: MenuItem['context'], title: MessageKey): MenuItem {
  return { context, title, targetUrlPatterns: WEB_ONLY, urlOf: ({ srcUrl }) => srcUrl };
}

/** Call synchronously at startup: a listener added later misses the click that woke the worker. */
export function listenToContextMenu(shorten: Shorten): void {
  // Firefox for Android has no menus.
  browser.contextMenus?.onClicked.addListener((click, tab) => {
    if (click.menuItemId === OPEN_WITH_OPTIONS) return void openPopupWithOptions();
    if (click.menuItemId === OPEN_LINKS) return void openLinksPage();
    const item = MENU_ITEMS[click.menuItemId];
    if (!item) return;
    void shortenWithoutPopup(shorten, {
      url: item.urlOf(click, tab),
      ...(item.isTab && tab && { tabId: tab.id, isLoading: isLoading(tab) }),
      // Without a tab the window is unknown. Treat it as private, so that nothing is saved.
      isPrivate: tab?.incognito ?? true,
      title: item.titleOf?.(click, tab),
      missing: item.context === 'selection' ? 'selection_without_url' : 'page_without_url',
    });
  });
}

/** An update may coincide with the browser's start, and creating an item twice is an error. */
const runExclusive = createKeyedMutex();

/** Browsers save the menu items with their text, so create them again in the current language. */
export function createContextMenu(): Promise<void> {
  return runExclusive('', async () => {
    if (!browser.contextMenus) return;
    await browser.contextMenus.removeAll();
    for (const [id, { context, title, targetUrlPatterns }] of Object.entries(MENU_ITEMS)) {
      browser.contextMenus.create({
        id,
        title: t(title),
        // In Firefox, a frame is no part of the page. In Chrome it is, and `frame` adds the links in it.
        contexts: context === 'page' && import.meta.env.FIREFOX ? ['page', 'frame'] : [context],
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
