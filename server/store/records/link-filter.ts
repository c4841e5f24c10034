import type { Link, LinkQuery } from '../link.ts';
import { foldCase } from './fold-case.ts';
import { foldedTags, searchedTexts } from './searched-texts.ts';

type LinkCondition = 'search' | 'tag' | 'isDeleted' | 'exceptId' | 'matches';

/** @returns whether a link passes the conditions of a query */
export function linkFilter({
  search,
  tag,
  isDeleted,
  exceptId,
  matches = () => true,
}: Pick<LinkQuery, LinkCondition>): (link: Link) => boolean {
  const text = search ? foldCase(search) : undefined;
  const foldedTag = tag === null ? undefined : foldCase(tag);
  return (link) =>
    (isDeleted === undefined || isDeleted === (link.deletedAt !== null)) &&
    link.id !== exceptId &&
    (foldedTag === undefined || foldedTags(link).includes(foldedTag)) &&
    (text === undefined || searchedTexts(link).some((each) => each.includes(text))) &&
    matches(link);
}
