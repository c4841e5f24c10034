import { decodeEncoded } from '../decode-encoded.ts';
import { foldSearched } from '../text.ts';
import { type RecordDestinations, urlsOf } from './destinations.ts';
import { type PlainValues, SEARCHED_FIELDS, type SearchedField } from './plain-fields.ts';
import type { SearchWord } from './search-words.ts';

/** A whole link, or one without its empty fields. */
type SearchedLink = {
  alias: string;
  originalUrl: string;
  previousAliases?: readonly string[] | undefined;
} & { [K in 'rules' | 'goneUrl' | 'card']?: RecordDestinations[K] | undefined } & {
  [K in SearchedField]?: PlainValues[K] | undefined;
};

/**
 * Returns the texts of a link in which a search looks, a line each, as `foldSearched` has them. Those with an
 * encoding are there twice: people search for what they see.
 *
 * @param fields those to look in, of the plain fields that can be searched
 */
export function searchedText(
  link: SearchedLink,
  fields: readonly string[] = SEARCHED_FIELDS,
): string {
  const { alias, previousAliases = [] } = link;
  const texts = [alias, ...urlsOf(link).map(({ url }) => url), ...previousAliases];
  for (const name of SEARCHED_FIELDS) {
    const value = fields.includes(name) ? link[name] : undefined;
    if (typeof value === 'string') texts.push(value);
    else if (value) texts.push(...value);
  }
  const written = texts.join('\n');
  const decoded = decodeEncoded(written);
  return foldSearched(decoded === written ? written : `${written}\n${decoded}`);
}

/** Whether each word is part of one of the lines: no word has a line break. */
export function hasAllWords(text: string, words: readonly SearchWord[]): boolean {
  return words.every((spellings) => spellings.some((word) => text.includes(word)));
}
