import { readShortUrl } from '../../shared/links/short-url.ts';
import { invalidField, type ServiceError } from '../lib/service-error.ts';
import { type Domain, type Domains, isUsableBy } from './short-domains.ts';

/** How many domains an error message names. */
const SHOWN_MAX = 10;

/**
 * Returns the domain that a request for a new link names.
 *
 * @param accountId undefined for a new account
 * @throws ServiceError `invalid_domain`, also for one that only others can use, so that nobody learns of it
 */
export function usableDomain(
  host: string,
  accountId: string | undefined,
  domains: Domains,
): Domain {
  const domain = domains.find(host);
  if (domain && isUsableBy(domain, accountId)) return domain;
  const usable = domains.usableBy(accountId).map((each) => each.host);
  const shown = usable.slice(0, SHOWN_MAX).join(', ') + (usable.length > SHOWN_MAX ? ' …' : '');
  throw invalidDomain(`Must be a domain that the account can use: ${shown}.`);
}

/** The domain can no longer be used, although it could when the request began. */
export function domainUnusable(host: string): ServiceError {
  return invalidDomain(`The account can no longer use the domain ${host}.`);
}

/**
 * Returns the domain of links that exist, which may have been removed since.
 *
 * @param host undefined: that of `BASE_URL`
 * @throws ServiceError `invalid_domain`
 */
export function knownDomain(host: string | undefined, domains: Domains): Domain {
  const domain = host === undefined ? domains.first : domains.find(host);
  if (domain) return domain;
  throw invalidDomain('Must be a domain of this server, such as go.example.');
}

function invalidDomain(message: string): ServiceError {
  return invalidField('domain', message, 'invalid_domain');
}

/**
 * Returns the alias in the store that a text means: an alias on the domain, or with the host of another domain in
 * front, such as `go.example/sale`.
 */
export function toStoredAlias(text: string, domain: Domain, domains: Domains): string {
  const slash = text.lastIndexOf('/');
  if (slash === -1) return domains.qualify(domain, text);
  const named = domains.find(text.slice(0, slash));
  return named ? domains.qualify(named, text.slice(slash + 1)) : text;
}

/** Returns the reverse: an alias in the store, as it is shown for a link of the domain. */
export function toShownAlias(storedAlias: string, domain: Domain, domains: Domains): string {
  const { domain: own, alias } = domains.split(storedAlias);
  return own.host === domain.host ? alias : `${own.host}/${alias}`;
}

/** Returns the alias in the store, in lower case, that a short URL on one of the domains means. */
export function storedAliasOf(shortUrl: string | undefined, domains: Domains): string | undefined {
  const { host, alias } = (shortUrl && readShortUrl(shortUrl)) || {};
  const domain = host === undefined ? undefined : domains.find(host);
  return domain && domains.qualify(domain, alias ?? '').toLowerCase();
}

/**
 * First path segments that the server uses or may use, and `/api/links/export`. Those with a dot are
 * never valid aliases.
 */
export const RESERVED_ALIASES = ['api', 'assets', 'dashboard', 'export'];

/** @param alias also with a domain in front, as the store has it */
export function isReserved(alias: string): boolean {
  return RESERVED_ALIASES.includes(alias.slice(alias.lastIndexOf('/') + 1).toLowerCase());
}
