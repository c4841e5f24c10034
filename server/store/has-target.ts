import { targetsOf } from '../../shared/links/destinations.ts';
import type { Link } from './link.ts';

/** Whether the target of a link, that of a rule or its `goneUrl` passes. */
export function hasTarget(
  { targetUrl, rules, goneUrl }: Link,
  passes: (url: string) => boolean,
): boolean {
  if (passes(targetUrl)) return true;
  // Most links have no other target, and this is asked at each visit.
  if (rules.length === 0 && goneUrl === null) return false;
  return targetsOf({ rules, goneUrl }).some(({ url }) => passes(url));
}
