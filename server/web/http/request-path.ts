import { decodePercent } from '../../../shared/decode-encoded.ts';
import { readAlias, withoutMarkup } from '../../../shared/links/short-url.ts';
import { isReserved } from '../../domains/short-domains.ts';

/** Returns the path and query that the router gets. */
export function rewritePath({ url = '/' }: { url?: string | undefined }): string {
  return toAliasPath(toOriginForm(url));
}

/**
 * Converts a request target to a path and query that the router can parse. Fastify handles targets that
 * its router cannot parse outside of all plugins, so the response would have another format.
 *
 * - The absolute form `http://host/path` becomes `/path` (RFC 9112, section 3.2.2).
 * - Other targets without a path (`*`, `http:///x`, `?q`) become a path that matches no route.
 * - Duplicate slashes are one: programs put a path behind a base URL that ends with one.
 * - Malformed percent escapes (`/%zz`, `/%ff`) are escaped.
 */
export function toOriginForm(target: string): string {
  const url = target.startsWith('/') ? withSingleSlashes(target) : withoutOrigin(target);
  if (!url.includes('%')) return url;
  const path = /^[^?#]*/.exec(url)?.[0] ?? '';
  try {
    decodeURI(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

function withSingleSlashes(url: string): string {
  if (!url.includes('//')) return url;
  return url.replace(/^[^?#]*/, (path) => path.replace(/\/{2,}/g, '/'));
}

function withoutOrigin(target: string): string {
  const [, path] = /^https?:\/\/[^/?#]+(.*)$/is.exec(target) ?? [];
  if (path === undefined) return `//${target}`;
  return withSingleSlashes(path.startsWith('/') ? path : `/${path}`);
}

/** The pages below an alias, and nothing to correct. */
const AS_MEANT = /^\/[\w-]+(?:\+|\/(?:go|report|stats|qr\.(?:svg|png)))?(?:[?#]|$)/;
/** Below it are no aliases. */
const API = '/api/';
const PAGE = /^(go|report|stats|qr\.(?:svg|png))[^\w-]*$/i;

/** A path, parameters that a mail program has appended as if there were others, and the rest. */
const PARTS = /^([^?#]*?)(?:&([\w.~%[\]-]+=[^?#]*))?([?#].*)?$/s;

/**
 * Corrects the path of a short URL that has more than was meant: `/sale.`, `/sale%E2%80%8B`, `//sale`,
 * `/sale)/qr.png`, `/sale&utm_source=mail`,
 * `/sale%3C/a%3E`. Other paths stay as they are.
 *
 * @param url a path with its query
 */
function toAliasPath(url: string): string {
  if (AS_MEANT.test(url) || url.startsWith(API)) return url;
  const [, written = ''] = /^([^?#]*)/.exec(url) ?? [];
  const [, path = '', appended, rest = ''] =
    PARTS.exec(withoutMarkup(written) + url.slice(written.length)) ?? [];
  const [first, page, ...others] = path.split('/').filter(Boolean);
  const address =
    first === undefined || others.length > 0 ? undefined : readAlias(decodePercent(first));
  if (!address || isReserved(address.alias)) return url;
  const query = appended === undefined ? rest : `?${appended}${rest.replace(/^\?/, '&')}`;
  if (page === undefined) return `/${address.alias}${address.inspects ? '+' : ''}${query}`;
  const [, name] = PAGE.exec(decodePercent(page)) ?? [];
  return name === undefined ? url : `/${address.alias}/${name.toLowerCase()}${query}`;
}
