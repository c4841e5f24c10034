import { browser } from 'wxt/browser';
import { t } from '../../../shared/i18n/translate.ts';
import { parseOriginalUrl } from '../../../shared/links/original-url.ts';
import { readTypedUrl } from '../../../shared/links/url-in-text.ts';
import type { ListedLink } from '../../links/link.ts';
import { makeSearchable, type Searchable, searchLinks } from '../../links/link-search.ts';
import { openLinksPage } from '../../links/open-links-page.ts';
import { readSettings } from '../data/settings.ts';
import { listLinks } from '../links/saved-links.ts';
import { listAccounts } from '../server/tokens.ts';
import type { Shorten } from '../shorten/shorten.ts';
import { notifyResult, shortenWithoutPopup } from '../shorten/shorten-without-popup.ts';
import { toFailure } from '../to-failure.ts';
import { describeSuggestion, plainDescription } from './omnibox-description.ts';

type SavedList = {
  links: Searchable<ListedLink>[];
  /** Whether a server may have more of them, which My links searches. */
  isPart: boolean;
};

/** The number that browsers show. */
const SUGGESTIONS = 8;

/**
 * Shortens an entered URL, copies a chosen suggestion, and opens the list of links for other text.
 * Call synchronously at startup: a listener added later misses the event that woke the worker.
 */
export function listenToOmnibox(shorten: Shorten): void {
  /** Read once per input session. */
  let links: Promise<SavedList> | undefined;

  setDefault('');
  browser.omnibox.onInputStarted.addListener(() => {
    links = undefined;
  });
  browser.omnibox.onInputChanged.addListener((text, suggest) => {
    setDefault(text);
    links ??= readList();
    // Suggests nothing if reading fails. Entering the text then shows the error.
    links.then(
      (list) => {
        const found = find(text, list);
        setDefault(text, list.isPart || found.length > 0);
        suggest(found.slice(0, SUGGESTIONS).map(toSuggestion));
      },
      () => suggest([]),
    );
  });
  browser.omnibox.onInputEntered.addListener((text) => {
    links = undefined;
    void readList()
      .then((list) => handleEntered(shorten, text.trim(), list))
      .catch(async (error) => notifyResult(toFailure(error), await readSettings()));
  });
}

/**
 * Sets the default suggestion, which describes what Enter does.
 *
 * @param hasMatches is assumed until the list has been read
 */
function setDefault(text: string, hasMatches = true): void {
  const isSearch = text.trim() !== '' && typedUrl(text) === undefined;
  const key = isSearch ? (hasMatches ? 'omnibox_search' : 'omnibox_no_match') : 'omnibox_hint';
  void browser.omnibox.setDefaultSuggestion({ description: plainDescription(t(key)) });
}

/** Text with a space is a search, even if it could be a path. */
function typedUrl(text: string): string | undefined {
  const parsed = parseOriginalUrl(readTypedUrl(text));
  return parsed.ok && !/\s/.test(parsed.originalUrl) ? parsed.originalUrl : undefined;
}

function toSuggestion(link: ListedLink) {
  return { content: link.shortUrl, description: describeSuggestion(link) };
}

async function readList(): Promise<SavedList> {
  const [links, accounts] = await Promise.all([listLinks(), listAccounts()]);
  return { links: links.map(makeSearchable), isPart: accounts.some(({ hasToken }) => hasToken) };
}

function find(text: string, { links }: SavedList): ListedLink[] {
  return text.trim() === '' ? [] : searchLinks(links, text);
}

async function handleEntered(shorten: Shorten, text: string, list: SavedList): Promise<void> {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  // The event does not include the window. If unknown, treat it as private, so that nothing is saved.
  const isPrivate = tab?.incognito ?? true;
  const chosen = list.links.find(({ link }) => link.shortUrl === text)?.link;
  if (chosen) {
    const settings = { ...(await readSettings()), copyAtOnce: true };
    return notifyResult({ ok: true, data: chosen }, settings, { isPrivate });
  }
  const url = typedUrl(text);
  if (!url && text !== '' && (list.isPart || find(text, list).length > 0)) {
    // The text becomes part of the page's URL, which a normal window saves in its history.
    return openLinksPage(isPrivate ? '' : text);
  }
  return shortenWithoutPopup(shorten, {
    url,
    isPrivate,
    title: undefined,
    missing: text === '' ? 'text_not_url' : 'no_match',
  });
}
