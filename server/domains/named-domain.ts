import { ServiceError } from '../lib/service-error.ts';
import { type Domain, isUsableBy, type ShortDomains } from './short-domains.ts';

/** How many domains an error message names. */
const SHOWN_MAX = 10;

/**
 * The domain that a request for a new link names.
 *
 * @param accountId undefined for a new account
 * @throws ServiceError `invalid_domain`, also for one that only others can use, so that nobody learns of it
 */
export function usableDomain(
  host: string,
  accountId: string | undefined,
  domains: ShortDomains,
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
 * The domain of links that exist, which may have been removed since.
 *
 * @param host undefined: that of `BASE_URL`
 * @throws ServiceError `invalid_domain`
 */
export function knownDomain(host: string | undefined, domains: ShortDomains): Domain {
  const domain = host === undefined ? domains.first : domains.find(host);
  if (domain) return domain;
  throw invalidDomain('Must be a domain of this server, such as go.example.');
}

function invalidDomain(message: string): ServiceError {
  return new ServiceError('invalid_domain', `domain: ${message}`, {
    issues: [{ path: 'domain', message }],
  });
}
