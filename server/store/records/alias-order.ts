import type { Link } from '../link.ts';

/** By what a list of aliases is sorted: the same alias on several domains is in one place. */
export function aliasOrder({ alias }: Pick<Link, 'alias'>): string {
  const key = alias.toLowerCase();
  const slash = key.lastIndexOf('/');
  return slash === -1 ? key : `${key.slice(slash + 1)} ${key.slice(0, slash)}`;
}
