import type { Link } from '../link.ts';

/** By what a list of aliases is sorted: the same alias on several domains is in one place. */
export function aliasOrder({ alias }: Pick<Link, 'alias'>): string {
  return alias.toLowerCase().replace(/^(.+)\/(.+)$/, '$2 $1');
}
