import type { LinkSummary } from './link.ts';

/** A link with what a search looks at, made ready once for all searches. */
export type Searchable<T> = { link: T; text: string };

const PERCENT_ENCODED = /%[\da-f]{2}/i;

export function makeSearchable<T extends LinkSummary>(link: T): Searchable<T> {
  const { title, shortUrl, originalUrl } = link;
  const shown = readable(originalUrl);
  return { link, text: normalize([title, shortUrl, originalUrl, shown].join('\n')) };
}

/** Those in which every word occurs, whatever its case and its accents; all where there is none. */
export function searchLinks<T>(links: Searchable<T>[], words: string): T[] {
  const wanted = normalize(words).split(/\s+/).filter(Boolean);
  return links
    .filter(({ text }) => wanted.every((word) => text.includes(word)))
    .map(({ link }) => link);
}

/** One form for all that a person would take for the same: `Ｃafé` and `cafe`. */
function normalize(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** An address as browsers show it, in letters where it is in percents. */
function readable(address: string): string {
  if (!PERCENT_ENCODED.test(address)) return '';
  try {
    return decodeURI(address);
  } catch {
    return '';
  }
}
