import { urlsOf } from '../../shared/links/destinations.ts';
import type { Link } from './link.ts';

/** Whether any URL of a link passes, see `urlsOf`. */
export function hasUrl(
  { targetUrl, rules, goneUrl, card }: Link,
  passes: (url: string) => boolean,
): boolean {
  if (passes(targetUrl)) return true;
  // Most links have no other, and this is asked at each visit.
  if (rules.length === 0 && goneUrl === null && card === null) return false;
  return urlsOf({ rules, goneUrl, card }).some(({ url }) => passes(url));
}
