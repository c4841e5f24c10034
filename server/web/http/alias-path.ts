import { decode, readAlias } from '../../../shared/links/short-url.ts';
import { isReserved } from '../../lib/reserved-aliases.ts';

/** The pages below an alias, and nothing to correct. */
const AS_MEANT = /^\/[\w-]+(?:\+|\/(?:go|report|qr\.(?:svg|png)))?(?:[?#]|$)/;
const PAGE = /^(go|report|qr\.(?:svg|png))[^\w-]*$/;

/**
 * Corrects the path of a short URL that has more than was meant: `/sale.`, `/sale%E2%80%8B`, `//sale`,
 * `/sale)/qr.png`. Other paths stay as they are.
 *
 * @param url a path with its query
 */
export function toAliasPath(url: string): string {
  if (AS_MEANT.test(url)) return url;
  const [path = ''] = /^[^?#]*/.exec(url) ?? [];
  const [first, page, ...others] = path.split('/').filter(Boolean);
  const address = first === undefined || others.length > 0 ? undefined : readAlias(decode(first));
  if (!address || isReserved(address.alias)) return url;
  const query = url.slice(path.length);
  if (page === undefined) return `/${address.alias}${address.inspects ? '+' : ''}${query}`;
  const [, name] = PAGE.exec(decode(page)) ?? [];
  return name === undefined ? url : `/${address.alias}/${name}${query}`;
}
