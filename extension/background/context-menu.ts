import { type Browser, browser } from 'wxt/browser';
import { parseOriginalUrl } from '../../shared/original-url.ts';
import { type MessageKey, t } from '../i18n.ts';
import type { LinkMaker } from './link-maker.ts';
import { shortenQuietly } from './shorten-quietly.ts';

type Click = Browser.contextMenus.OnClickData;
type Entry = {
  context: 'link' | 'page' | 'selection';
  title: MessageKey;
  addressOf(click: Click, tab: Browser.tabs.Tab | undefined): string | undefined;
};

const ENTRIES: Record<string, Entry> = {
  'shorten-link': {
    context: 'link',
    title: 'menu_link',
    addressOf: ({ linkUrl }) => linkUrl,
  },
  'shorten-page': {
    context: 'page',
    title: 'menu_page',
    addressOf: ({ pageUrl }, tab) => tab?.url ?? pageUrl,
  },
  'shorten-selection': {
    context: 'selection',
    title: 'menu_selection',
    addressOf: ({ selectionText }) => readAddress(selectionText),
  },
};

/** To be called as the worker starts: a listener added later misses the click that woke it. */
export function listenToContextMenu(makeLink: LinkMaker): void {
  browser.contextMenus.onClicked.addListener((click, tab) => {
    const entry = ENTRIES[click.menuItemId];
    if (!entry) return;
    void shortenQuietly(makeLink, {
      address: entry.addressOf(click, tab),
      isPrivate: tab?.incognito ?? false,
      missing: entry.context === 'selection' ? 'selection_not_address' : 'page_without_address',
    });
  });
}

/** Browsers keep the entries, so they are made when the extension is installed or updated. */
export async function createContextMenu(): Promise<void> {
  await browser.contextMenus.removeAll();
  for (const [id, { context, title }] of Object.entries(ENTRIES)) {
    browser.contextMenus.create({ id, title: t(title), contexts: [context] });
  }
}

/** Selected text that reads as an address, as a whole; a sentence does not. */
function readAddress(selection: string | undefined): string | undefined {
  const text = selection?.trim() ?? '';
  if (text === '' || /\s/.test(text)) return undefined;
  const parsed = parseOriginalUrl(text);
  return parsed.ok ? parsed.originalUrl : undefined;
}
