import type { LinkTotal } from '../../../shared/links/link-list.ts';
import { type Link, linkBytes, mayBeLarge } from '../link.ts';
import type { LinkPage, LinkPosition } from '../link-calls.ts';

/** A page ends with the link that reaches it, so that its memory is bounded, whatever the size of links. */
export const PAGE_MAX_BYTES = 1024 * 1024;

/** A link with its place in a list. */
export type Place = LinkPosition & { link: Link };

/** Returns the place of a link in the order of creation. */
export function toPlace(link: Link): Place {
  return { created: link.created, id: link.id, link };
}

/** @param places those of the page and, if there are more, at least one more. The page may have fewer. */
export function toPage(places: readonly Place[], limit: number): LinkPage {
  const page = places.slice(0, countUntilFull(places, limit));
  const last = page.at(-1);
  const links = page.map(({ link }) => link);
  if (!last || places.length === page.length) return { links, next: null };
  const { link: _, ...next } = last;
  return { links, next };
}

function countUntilFull(places: readonly Place[], limit: number): number {
  const end = Math.min(limit, places.length);
  // The sizes of ordinary links need not be added up.
  if (!places.some(({ link }) => mayBeLarge(link))) return end;
  let bytes = 0;
  for (let index = 0; index < end; index++) {
    bytes += linkBytes((places[index] as Place).link);
    if (bytes >= PAGE_MAX_BYTES) return index + 1;
  }
  return end;
}

/** @param count how many were found. Those beyond the maximum need not be counted. */
export function upTo(max: number, count: number): LinkTotal {
  return { count: Math.min(max, count), isExact: count <= max };
}
