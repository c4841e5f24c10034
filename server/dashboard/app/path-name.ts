import { addressOf, aliasOf } from '../../../shared/links/shown-link.ts';

/** How paths name a link: by its alias, on another domain than the dashboard's with its host. */
export function pathNameOf(link: { shortUrl: string }, origin: string): string {
  return link.shortUrl.startsWith(`${origin}/`) ? aliasOf(link) : addressOf(link);
}
