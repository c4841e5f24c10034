import { hash } from 'node:crypto';
import type { Link } from '../store/link.ts';

/** Twenty rules fit into the statistics of a day, beside everything else. */
const NAME_MAX_CHARACTERS = 200;

export function targetUrlOf({ targetUrl, rules }: Link, target: number): string {
  return rules[target]?.originalUrl ?? targetUrl;
}

/**
 * Names a target in the statistics: by its URL, so that people stay counted for it when rules are edited or
 * reordered. Long ones are shortened, and stay different. Undefined if the link has no rules.
 */
export function nameTarget({ rules }: Link, url: string): string | undefined {
  if (rules.length === 0) return undefined;
  if (url.length <= NAME_MAX_CHARACTERS) return url;
  const end = `...${hash('sha256', url).slice(0, 8)}`;
  return url.slice(0, NAME_MAX_CHARACTERS - end.length) + end;
}
