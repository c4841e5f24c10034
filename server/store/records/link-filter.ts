import type { Link, LinkQuery } from '../link.ts';
import { foldCase } from './fold-case.ts';
import { foldedTags, haveAllWords, searchedTexts, searchWords } from './searched-texts.ts';

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
  const foldedTag = tag === null ? undefined : foldCase(tag);
  return (link) =>
    (isDeleted === undefined || isDeleted === (link.deletedAt !== null)) &&
    link.id !== exceptId &&
    (originalUrl === undefined || link.originalUrl === originalUrl) &&
    (foldedTag === undefined || foldedTags(link).includes(foldedTag)) &&
    (words.length === 0 || haveAllWords(searchedTexts(link), words)) &&
    matches(link);
}
