import { TARGET_URL_MAX_CHARACTERS } from '../../shared/limits.ts';
import { isWebScheme, schemeOf } from '../../shared/links/schemes.ts';
import type { Link } from '../store/link.ts';

/** The parameter of a go-link that is not for the target. */
const GO_TOKEN = 't=';

/**
 * Returns the query that a visit adds to the target, without its question mark, such as `utm_source=mail`.
 *
 * @returns an empty string if the link forwards none
 */
export function forwardedQuery(link: Pick<Link, 'forwardQuery'>, url: string): string {
  return link.forwardQuery ? escapeUnsafe(queryOf(url)) : '';
}

/** Returns the query that pages on the way to the target pass on: also what rules ask for. */
export function passedQuery(link: Link, url: string): string {
  return passesQuery(link) ? escapeUnsafe(queryOf(url)) : '';
}

export function passesQuery({ forwardQuery, rules }: Link): boolean {
  return forwardQuery || rules.some(({ query }) => query !== undefined);
}

/**
 * Splits the query of a go-link into its token and the visitor's own query. The token is the first
 * `t`; the visitor's query may have one, too.
 */
export function splitGoQuery(url: string): { token: string | undefined; url: string } {
  const parameters = queryOf(url).split('&');
  const index = parameters.findIndex((parameter) => parameter.startsWith(GO_TOKEN));
  if (index === -1) return { token: undefined, url };
  const [parameter = ''] = parameters.splice(index, 1);
  return { token: parameter.slice(GO_TOKEN.length), url: `?${parameters.join('&')}` };
}

/**
 * Returns the target with the query, before its fragment. Without it if it would become too long for `Location`, or
 * if the target is no page: `tel:` has no query.
 */
export function withQuery(targetUrl: string, query: string): string {
  const length = targetUrl.length + query.length + 1;
  if (query === '' || length > TARGET_URL_MAX_CHARACTERS || !isWebScheme(schemeOf(targetUrl))) {
    return targetUrl;
  }
  const hash = targetUrl.indexOf('#');
  const [address, fragment] =
    hash === -1 ? [targetUrl, ''] : [targetUrl.slice(0, hash), targetUrl.slice(hash)];
  const isEmptyQuery = /[?&]$/.test(address);
  const separator = isEmptyQuery ? '' : address.includes('?') ? '&' : '?';
  return `${address}${separator}${query}${fragment}`;
}

function queryOf(url: string): string {
  return /\?([^#]*)/.exec(url)?.[1] ?? '';
}

/** Node.js accepts bytes in a request target that a header or an attribute must not contain. */
function escapeUnsafe(query: string): string {
  return query.replace(
    /[^!-~]|["'<>\\`]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
