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
type Context = 'link' | 'page' | 'selection' | 'image' | 'video' | 'audio';
type MenuItem = {
  contexts: [Context, ...Context[]];
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

/** Media without a web address: inside the page, or made by it. */
const OF_PAGE_ONLY = ['data:*', 'blob:*'];

const MEDIA = ['image', 'video', 'audio'] as const;

const PAGE = {
  title: 'menu_page',
  urlOf: ({ pageUrl }, tab) => tab?.url ?? pageUrl,
  titleOf: (_, tab) => tab && titleOf(tab),
  isTab: true,
} satisfies Omit<MenuItem, 'contexts'>;

const MENU_ITEMS: Record<string, MenuItem> = {
  'shorten-link': {
    contexts: ['link'],
    title: 'menu_link',
    targetUrlPatterns: WEB_ONLY,
    urlOf: ({ linkUrl }) => linkUrl,
    // Only Firefox provides the link's text.
    titleOf: (click: Click & { linkText?: string }) => click.linkText,
  },
  'shorten-page': { ...PAGE, contexts: ['page'] },
  // Where a page consists of such media, it could not be shortened otherwise.
  'shorten-page-of-media': { ...PAGE, contexts: [...MEDIA], targetUrlPatterns: OF_PAGE_ONLY },
  'shorten-selection': {
    contexts: ['selection'],
    title: 'menu_selection',
    urlOf: ({ selectionText }) => findUrl(selectionText),
  },
  'shorten-image': mediaItem('image', 'menu_image'),
  'shorten-video': mediaItem('video', 'menu_video'),
  'shorten-audio': mediaItem('audio', 'menu_audio'),
};

/** Also for the tab of a picture or a film, which has no page around it. */
function mediaItem(context: (typeof MEDIA)[number], title: MessageKey): MenuItem {
  return { contexts: [context], title, targetUrlPatterns: WEB_ONLY, urlOf: ({ srcUrl }) => srcUrl };
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
      missing: item.contexts[0] === 'selection' ? 'selection_without_url' : 'page_without_url',
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
    for (const [id, { contexts, title, targetUrlPatterns }] of Object.entries(MENU_ITEMS)) {
      browser.contextMenus.create({
        id,
        title: t(title),
        // In Firefox, a frame is no part of the page, and tabs have a menu. In Chrome, `frame` adds the links in it.
        contexts:
          import.meta.env.FIREFOX && contexts[0] === 'page' ? ['page', 'frame', 'tab'] : contexts,
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
