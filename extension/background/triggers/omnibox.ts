import { browser } from 'wxt/browser';
import { parseTypedUrl } from '../../address/parse-typed-url.ts';
import { t } from '../../i18n/translate.ts';
import type { ListedLink } from '../../links/link.ts';
import { makeSearchable, type Searchable, searchLinks } from '../../links/link-search.ts';
import { openLinksPage } from '../../links/open-links-page.ts';
import { readSettings } from '../data/settings.ts';
import { listLinks } from '../links/link-list.ts';
import type { CreateLink } from '../queue/queue.ts';
import { notifyResult, shortenWithoutPopup } from '../shorten/shorten-without-popup.ts';
import { toFailure } from '../to-failure.ts';
import { describeSuggestion, plainDescription } from './omnibox-description.ts';

/** As many as browsers show. */
const SUGGESTIONS = 8;

/**
 * Shortens an address that is entered, copies a link of the list that is chosen, and shows the list
 * for other words. To be called as the worker starts: a listener added later misses the entry that
 * woke it.
 */
export function listenToOmnibox(createLink: CreateLink): void {
  /** Read once for all that is typed between the keyword and the end. */
  let links: Promise<Searchable<ListedLink>[]> | undefined;
  const readList = async () => (await listLinks()).map(makeSearchable);

  suggestFirst('');
  browser.omnibox.onInputStarted.addListener(() => {
    links = undefined;
  });
  browser.omnibox.onInputChanged.addListener((text, suggest) => {
    suggestFirst(text);
    links ??= readList();
    // Without a list there is nothing to suggest; whoever enters the text is told why.
    links.then(
      (list) => {
        const found = find(text, list);
        suggestFirst(text, found.length > 0);
        suggest(found.slice(0, SUGGESTIONS).map(toSuggestion));
      },
      () => suggest([]),
    );
  });
  browser.omnibox.onInputEntered.addListener((text) => {
    links = undefined;
    void readList()
      .then((list) => useEntered(createLink, text.trim(), list))
      .catch(async (error) => notifyResult(toFailure(error), await readSettings()));
  });
}

/**
 * Says what entering the text as it stands will do.
 *
 * @param hasMatches assumed until the list has been read
 */
function suggestFirst(text: string, hasMatches = true): void {
  const isSearch = text.trim() !== '' && parseTypedUrl(text) === undefined;
  const key = isSearch ? (hasMatches ? 'omnibox_search' : 'omnibox_no_match') : 'omnibox_hint';
  void browser.omnibox.setDefaultSuggestion({ description: plainDescription(t(key)) });
}

function toSuggestion(link: ListedLink) {
  return { content: link.shortUrl, description: describeSuggestion(link) };
}

function find(text: string, list: Searchable<ListedLink>[]): ListedLink[] {
  return text.trim() === '' ? [] : searchLinks(list, text);
}

async function useEntered(
  createLink: CreateLink,
  text: string,
  list: Searchable<ListedLink>[],
): Promise<void> {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  // The event does not say which window it comes from. In doubt nothing is kept.
  const isPrivate = tab?.incognito ?? true;
  const chosen = list.find(({ link }) => link.shortUrl === text)?.link;
  if (chosen) {
    const settings = { ...(await readSettings()), copyAtOnce: true };
    return notifyResult({ ok: true, data: chosen }, settings, { isPrivate });
  }
  const address = parseTypedUrl(text);
  if (!address && find(text, list).length > 0) {
    // The words stand in the page's address, which goes into the history of a normal window.
    return openLinksPage(isPrivate ? '' : text);
  }
  return shortenWithoutPopup(createLink, {
    address,
    isPrivate,
    title: undefined,
    missing: text === '' ? 'text_not_address' : 'no_match',
  });
}
