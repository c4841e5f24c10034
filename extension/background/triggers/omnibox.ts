import { browser } from 'wxt/browser';
import { t } from '../../../shared/i18n/translate.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { parseOriginalUrl } from '../../../shared/links/original-url.ts';
import { truncate } from '../../../shared/links/truncate.ts';
import { readTypedUrl } from '../../../shared/links/url-in-text.ts';
import type { SavedLink } from '../../links/link.ts';
import { makeSearchable, type Searchable, searchLinks } from '../../links/link-search.ts';
import { toFailure } from '../../storage/stored-area.ts';
import { openLinksPage } from '../../urls/extension-pages.ts';
import { listServers } from '../account/tokens.ts';
import { listLinks } from '../data/saved-links.ts';
import { readSettings } from '../data/settings.ts';
import type { Shorten } from '../shorten/shorten.ts';
import { notifyResult, shortenWithoutPopup } from '../shorten/shorten-without-popup.ts';

type SavedList = {
  links: Searchable<SavedLink>[];
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

  // Firefox for Android has none.
  if (!browser.omnibox) return;
  browser.omnibox.onInputStarted.addListener(() => {
    links = undefined;
    setDefault('');
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

function toSuggestion(link: SavedLink) {
  return { content: link.shortUrl, description: describeSuggestion(link) };
}

async function readList(): Promise<SavedList> {
  const [links, servers] = await Promise.all([listLinks(), listServers()]);
  return { links: links.map(makeSearchable), isPart: servers.some(({ hasToken }) => hasToken) };
}

function find(text: string, { links }: SavedList): SavedLink[] {
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

/** Browsers truncate longer descriptions. */
const TITLE_SHOWN_CHARACTERS = 80;
/** Characters that are invalid in XML, or that could reorder the URL after the title. */
const UNSAFE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Formats a suggestion for the address bar: XML in Chromium, plain text in Firefox. */
export function describeSuggestion(
  { title, label, originalUrl, shortUrl }: LinkRecord,
  isXml = !import.meta.env.FIREFOX,
): string {
  const name = truncate(
    title || label || originalUrl.replace(/^https?:\/\//, ''),
    TITLE_SHOWN_CHARACTERS,
  );
  const url = plainDescription(shortUrl, isXml);
  const markup = isXml ? `<url>${url}</url>` : url;
  return `${plainDescription(name, isXml)} – ${markup}`;
}

/** Escapes plain text. */
function plainDescription(text: string, isXml = !import.meta.env.FIREFOX): string {
  const safe = text.replace(UNSAFE, ' ');
  return isXml ? safe.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '') : safe;
}
