import { urlsOf } from '../../../shared/links/destinations.ts';
import { SEARCHED_FIELDS, type SearchedField } from '../../../shared/links/fields.ts';
import { foldCase } from './fold-case.ts';
import type { LinkJson } from './link-json.ts';

/** A whole link, or one in JSON, where empty fields are missing. */
type Texts = Pick<
  LinkJson,
  'alias' | 'originalUrl' | 'previousAliases' | 'rules' | 'goneUrl' | 'card' | SearchedField
>;

/**
 * The texts of a link in which a search looks, in folded case.
 *
 * @param fields those to look in, of the plain fields that can be searched
 */
export function searchedTexts(link: Texts, fields: readonly string[] = SEARCHED_FIELDS): string[] {
  const { alias, previousAliases = [] } = link;
  const targets = urlsOf(link).map(({ url }) => url);
  const texts = [alias, ...targets, ...previousAliases].map(foldCase);
  for (const name of SEARCHED_FIELDS) {
    const value = fields.includes(name) ? link[name] : undefined;
    if (typeof value === 'string') texts.push(foldCase(value));
    else if (value) texts.push(...value.map(foldCase));
  }
  return texts;
}

/** The words of a search, in folded case. No word has white space. */
export function searchWords(search: string | null): string[] {
  return foldCase(search ?? '')
    .split(/\s+/)
    .filter(Boolean);
}

/** Whether each word is part of one of the texts. */
export function haveAllWords(texts: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => texts.some((text) => text.includes(word)));
}

export function foldedTags({ tags = [] }: Pick<LinkJson, 'tags'>): string[] {
  return tags.map(foldCase);
}
