import type { IncomingHttpHeaders } from 'node:http';
import { compile } from '@fastify/proxy-addr';
import { countryOf, isCountryCode } from '../../shared/countries.ts';
import type { ClientAddress } from '../limits/client-address.ts';
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
