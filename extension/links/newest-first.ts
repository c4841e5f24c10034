import type { LinkSummary, ListedLink } from './link.ts';

/** Sorts by creation time, then by short URL, so that the order is the same everywhere. */
export function newestFirst(one: LinkSummary, other: LinkSummary): number {
  const byTime = Date.parse(other.created) - Date.parse(one.created);
  if (byTime !== 0) return byTime;
  return one.shortUrl < other.shortUrl ? -1 : 1;
}

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
