import { decodeEncoded } from '../decode-encoded.ts';
import { foldSearched } from '../text.ts';

/** A word, and what it encodes if it does. */
export type SearchWord = readonly [string, ...string[]];

/**
 * Returns the words of a search, as `foldSearched` has them. A URL finds itself with another protocol, and with or
 * without a slash at its end.
 */
export function searchWords(search: string | null): SearchWord[] {
  const words = foldSearched(search ?? '').split(/\s+/);
  return words.filter(Boolean).map((word) => {
    const decoded = foldSearched(decodeEncoded(word));
    const written = withoutVariants(word);
    // Of a mark alone, nothing is left, and every text has that.
    const hasOne = decoded === word || decoded.trim() === '';
    return hasOne ? [written] : [written, withoutVariants(decoded)];
  });
}

function withoutVariants(word: string): string {
  const url = word.replace(/^https?(?=:\/\/.)/, '');
  const hasPath = url !== word || url.slice(0, -1).includes('/');
  return hasPath && url.length > 1 && url.endsWith('/') ? url.slice(0, -1) : url;
}
