import { foldSearched } from '../text.ts';

/**
 * The words of a search, as `foldSearched` has them. No word has white space. A URL finds itself with another
 * protocol, and with or without a slash at its end.
 */
export function searchWords(search: string | null): string[] {
  return foldSearched(search ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .map(withoutVariants);
}

function withoutVariants(word: string): string {
  const url = word.replace(/^https?(?=:\/\/.)/, '');
  const hasPath = url !== word || url.slice(0, -1).includes('/');
  return hasPath && url.length > 1 && url.endsWith('/') ? url.slice(0, -1) : url;
}
