import { newestFirst } from '../../shared/links/shown-link.ts';
import type { ListedLink } from './link.ts';

/** Inserts links into a sorted list. */
export function insertLinks(list: ListedLink[], links: ListedLink[]): ListedLink[] {
  const added = [...links].sort(newestFirst);
  const merged: ListedLink[] = [];
  let next = 0;
  for (const link of list) {
    for (let first = added[next]; first && newestFirst(first, link) < 0; first = added[next]) {
      merged.push(first);
      next += 1;
    }
    merged.push(link);
  }
  return [...merged, ...added.slice(next)];
}
