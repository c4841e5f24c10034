import { readShortUrl } from '../../shared/links/short-url.ts';
import type { Domain, ShortDomains } from './short-domains.ts';

/**
 * The alias in the store that a text means: an alias on the domain, or with the host of another domain in
 * front, such as `go.example/sale`.
 */
export function toStoredAlias(text: string, domain: Domain, domains: ShortDomains): string {
  const slash = text.lastIndexOf('/');
  if (slash === -1) return domains.qualify(domain, text);
  const named = domains.find(text.slice(0, slash));
  return named ? domains.qualify(named, text.slice(slash + 1)) : text;
}

/** The reverse: an alias in the store, as it is shown for a link of the domain. */
export function toShownAlias(storedAlias: string, domain: Domain, domains: ShortDomains): string {
  const { domain: own, alias } = domains.split(storedAlias);
  return own.host === domain.host ? alias : `${own.host}/${alias}`;
}

/** The alias in the store, in lower case, that a short URL on one of the domains means. */
export function storedAliasOf(
  shortUrl: string | undefined,
  domains: ShortDomains,
): string | undefined {
  const { host, alias } = (shortUrl && readShortUrl(shortUrl)) || {};
  const domain = host === undefined ? undefined : domains.find(host);
  return domain && domains.qualify(domain, alias ?? '').toLowerCase();
}
