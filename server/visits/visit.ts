import type { IncomingHttpHeaders } from 'node:http';
import { compile } from '@fastify/proxy-addr';
import { TARGET_URL_MAX_CHARACTERS } from '../../shared/bounds.ts';
import { countryOf, isCountryCode } from '../../shared/countries.ts';
import { parametersOf, removeParameters } from '../../shared/links/query-parameters.ts';
import { isWebScheme, schemeOf } from '../../shared/links/schemes.ts';
import type { ClientAddress } from '../limits/client-address.ts';
import type { Link } from '../store/link.ts';
import { OFFICE, UserAgent, type VisitClass } from './user-agent.ts';

/** A request for something that starts with an alias. */
export type Visit = {
  method: string;
  /** As it is in the path. Another alias of the link may be on another domain. */
  alias: string;
  /** Path and query. */
  url: string;
  /** The `Host` header, or what a trusted proxy says it was. */
  host: string;
  headers: IncomingHttpHeaders;
  /** The IP address of the client, or of the last proxy. */
  sender: string;
  /** The address of the client. */
  address: ClientAddress;
  /** Whether `X-Forwarded-For` comes from an address that is not in `TRUST_PROXY`. */
  hasUntrustedForwardedFor: boolean;
};

/** Classifies a visit by its headers. */
export function classifyVisit({ method, headers }: Pick<Visit, 'method' | 'headers'>): VisitClass {
  const isPreview = method === 'HEAD' || isPrefetch(headers);
  return isPreview ? 'previews' : UserAgent.of(headers['user-agent']).visitClass;
}

/** Whether a browser loads the link before anybody has clicked it, or for a thumbnail of its own. */
export function isPrefetch(headers: Visit['headers']): boolean {
  return (
    saysPrefetch(headers['sec-purpose']) ||
    saysPrefetch(headers.purpose) ||
    saysPrefetch(headers['x-purpose']) ||
    saysPrefetch(headers['x-moz'])
  );
}

/** Whether a program that shows previews of links asks. Prefetches are for people, who never see a card. */
export function showsPreview({ headers }: Pick<Visit, 'headers'>): boolean {
  return UserAgent.of(headers['user-agent']).visitClass === 'previews';
}

/**
 * Whether Word, Excel or PowerPoint asks, after somebody has clicked a link in a document. They follow redirects
 * themselves, and open where these end in the browser, without its cookies. After a page, they open the link itself.
 *
 * @see https://learn.microsoft.com/office/troubleshoot/office/click-hyperlink-to-sso-website
 */
export function opensBrowser({ headers }: Pick<Visit, 'headers'>): boolean {
  return OFFICE.test(headers['user-agent'] ?? '');
}

function saysPrefetch(purpose: string | string[] | undefined): boolean {
  return purpose !== undefined && /\bpre(fetch|render|view)\b/i.test(String(purpose));
}

/** @returns a code of ISO 3166-1, or undefined if no trusted proxy says so */
export type ReadCountry = (visit: Pick<Visit, 'headers' | 'sender'>) => string | undefined;

/**
 * Returns a function for the country of a visit. Clients could send the header, too, so it is believed
 * only from proxies in `TRUST_PROXY`.
 *
 * @param header in lower case; undefined if there is none
 */
export function createReadCountry(header: string | undefined, trustProxy: string[]): ReadCountry {
  if (header === undefined || trustProxy.length === 0) return () => undefined;
  const trusts = compile(trustProxy);
  return ({ headers, sender }) => {
    const value = headers[header];
    if (typeof value !== 'string' || !trusts(sender, 0)) return undefined;
    const country = value.trim().toUpperCase();
    return isCountryCode(country) ? country : countryOf(country);
  };
}

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
 * Returns the target with the query, before its fragment. Parameters of the target that the query has, too, are
 * replaced: sites would take either value. Without the query if it would become too long for `Location`, or if the
 * target is no page: `tel:` has no query.
 */
export function withQuery(targetUrl: string, query: string): string {
  const length = targetUrl.length + query.length + 1;
  if (query === '' || length > TARGET_URL_MAX_CHARACTERS || !isWebScheme(schemeOf(targetUrl))) {
    return targetUrl;
  }
  const sent = new Set(parametersOf(query).map(({ name }) => name));
  const { url } = removeParameters(targetUrl, (name) => sent.has(name));
  const hash = url.indexOf('#');
  const [address, fragment] = hash === -1 ? [url, ''] : [url.slice(0, hash), url.slice(hash)];
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
