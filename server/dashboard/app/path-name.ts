import { addressOf, aliasOf } from '../../../shared/links/link-address.ts';

/** Returns how paths name a link: by its alias, on another domain than the dashboard's with its host. */
export function pathNameOf(link: { shortUrl: string }, origin: string): string {
  return link.shortUrl.startsWith(`${origin}/`) ? aliasOf(link) : addressOf(link);
}
