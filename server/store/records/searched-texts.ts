import { urlsOf } from '../../../shared/links/destinations.ts';
import { SEARCHED_FIELDS, type SearchedField } from '../../../shared/links/fields.ts';
import { foldSearched, foldTag } from '../../../shared/text.ts';
import type { LinkJson } from './link-json.ts';

/** A whole link, or one in JSON, where empty fields are missing. */
type Texts = Pick<
  LinkJson,
  'alias' | 'originalUrl' | 'previousAliases' | 'rules' | 'goneUrl' | 'card' | SearchedField
>;

/**
 * The texts of a link in which a search looks, a line each, as `foldSearched` has them.
 *
 * @param fields those to look in, of the plain fields that can be searched
 */
export function searchedText(link: Texts, fields: readonly string[] = SEARCHED_FIELDS): string {
  const { alias, previousAliases = [] } = link;
  const texts = [alias, ...urlsOf(link).map(({ url }) => url), ...previousAliases];
  for (const name of SEARCHED_FIELDS) {
    const value = fields.includes(name) ? link[name] : undefined;
    if (typeof value === 'string') texts.push(value);
    else if (value) texts.push(...value);
  }
  return foldSearched(texts.join('\n'));
}

/** Whether each word is part of one of the lines: no word has a line break. */
export function hasAllWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

export function foldedTags({ tags = [] }: Pick<LinkJson, 'tags'>): string[] {
  return tags.map(foldTag);
}
