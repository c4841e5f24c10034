import { searchWords } from '../../../shared/links/search-words.ts';
import { hasAllWords, searchedText } from '../../../shared/links/searched-text.ts';
import { foldTag } from '../../../shared/text.ts';
import type { Link, LinkQuery } from '../link.ts';
import { foldedTags } from './folded-tags.ts';

type LinkCondition = 'search' | 'tag' | 'originalUrl' | 'isDeleted' | 'exceptId' | 'matches';

/** @returns whether a link passes the conditions of a query */
export function linkFilter({
  search,
  tag,
  originalUrl,
  isDeleted,
  exceptId,
  matches = () => true,
}: Pick<LinkQuery, LinkCondition>): (link: Link) => boolean {
  const words = searchWords(search);
  const foldedTag = tag === null ? undefined : foldTag(tag);
  return (link) =>
    (isDeleted === undefined || isDeleted === (link.deletedAt !== null)) &&
    link.id !== exceptId &&
    (originalUrl === undefined || link.originalUrl === originalUrl) &&
    (foldedTag === undefined || foldedTags(link).includes(foldedTag)) &&
    (words.length === 0 || hasAllWords(searchedText(link), words)) &&
    matches(link);
}
