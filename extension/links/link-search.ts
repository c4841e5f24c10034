import type { LinkRecord } from '../../shared/links/link-record.ts';
import { searchWords } from '../../shared/links/search-words.ts';
import { hasAllWords, searchedText } from '../../shared/links/searched-text.ts';
import { readShortUrl } from '../../shared/links/short-url.ts';
import { foldSearched } from '../../shared/text.ts';

/** A link with its normalized text, which is computed once for all searches. */
export type Searchable<T> = { link: T; text: string };

export function makeSearchable<T extends LinkRecord>(link: T): Searchable<T> {
  return { link, text: `${searchedText(link)}\n${foldSearched(link.shortUrl)}` };
}

/**
 * Finds links that contain every word where a server looks, ignoring case and accents, or the one whose short URL it is. Without words,
 * returns all links.
 */
export function searchLinks<T extends LinkRecord>(links: Searchable<T>[], words: string): T[] {
  const wanted = addressIn(words);
  const named = links.filter(({ link }) => wanted && addressIn(link.shortUrl) === wanted);
  if (named.length > 0) return named.map(({ link }) => link);
  const terms = searchWords(words);
  return links.filter(({ text }) => hasAllWords(text, terms)).map(({ link }) => link);
}

function addressIn(text: string): string | undefined {
  const { host, alias = '' } = readShortUrl(text) ?? {};
  return host && `${host}/${alias.toLowerCase()}`;
}
