import { foldCase } from './fold-case.ts';
import type { LinkJson } from './link-json.ts';

/** A whole link, or one in JSON, where empty fields are missing. */
type Texts = Pick<LinkJson, 'alias' | 'originalUrl' | 'furtherAliases' | 'title' | 'tags'>;

/** The texts of a link in which a search looks, in folded case. */
export function searchedTexts(link: Texts): string[] {
  const { alias, originalUrl, furtherAliases = [], title = '' } = link;
  return [...[alias, originalUrl, title, ...furtherAliases].map(foldCase), ...foldedTags(link)];
}

export function foldedTags({ tags = [] }: Pick<Texts, 'tags'>): string[] {
  return tags.map(foldCase);
}
