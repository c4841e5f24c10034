import type { LinkSummary } from './link.ts';

/** A link with its normalized text, which is computed once for all searches. */
export type Searchable<T> = { link: T; text: string };

const PERCENT_ENCODED = /%[\da-f]{2}/i;

export function makeSearchable<T extends LinkSummary>(link: T): Searchable<T> {
  const { title, shortUrl, originalUrl } = link;
  const decodedUrl = decoded(originalUrl);
  return { link, text: normalize([title, shortUrl, originalUrl, decodedUrl].join('\n')) };
}

/** Finds links that contain every word, ignoring case and accents. Without words, returns all links. */
export function searchLinks<T>(links: Searchable<T>[], words: string): T[] {
  const terms = normalize(words).split(/\s+/).filter(Boolean);
  return links
    .filter(({ text }) => terms.every((word) => text.includes(word)))
    .map(({ link }) => link);
}

/** Removes differences in case, accents and width: `Ｃafé` becomes `cafe`. */
function normalize(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** The URL without percent-encoding, as browsers show it. */
function decoded(url: string): string {
  if (!PERCENT_ENCODED.test(url)) return '';
  try {
    return decodeURI(url);
  } catch {
    return '';
  }
}
