import type { LinkTotal } from '../../../shared/links/link-list.ts';
import type { Link, LinkPage, LinkPosition } from '../link.ts';

/** A link with its place in a list. */
export type Place = LinkPosition & { link: Link };

/** The place of a link in the order of creation. */
export function toPlace(link: Link): Place {
  return { created: link.created, id: link.id, link };
}

/** @param places those of the page and, if there are more, at least one more */
export function toPage(places: readonly Place[], limit: number): LinkPage {
  const page = places.slice(0, limit);
  const last = page.at(-1);
  const links = page.map(({ link }) => link);
  if (!last || places.length <= limit) return { links, next: null };
  const { link: _, ...next } = last;
  return { links, next };
}

/** @param count how many were found. Those beyond the maximum need not be counted. */
export function upTo(max: number, count: number): LinkTotal {
  return { count: Math.min(max, count), isExact: count <= max };
}
