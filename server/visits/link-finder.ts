import type { FastifyRequest } from 'fastify';
import { ALIAS_PATTERN } from '../../shared/limits.ts';
import type { BlockList } from '../blocks/block-list.ts';
import type { ShortDomains } from '../domains/short-domains.ts';
import type { Clock } from '../lib/clock.ts';
import { isReserved } from '../lib/reserved-aliases.ts';
import { ServiceError } from '../lib/service-error.ts';
import { clientAddress } from '../limits/client-ip.ts';
import { hasUntrustedForwardedFor, type UnnamedProxy } from '../limits/unnamed-proxy.ts';
import type { Link } from '../store/link.ts';
import { linkStatus } from '../store/link-status.ts';
import type { Store } from '../store/store.ts';
import { LinkGoneError, notActive } from './gone.ts';
import type { UnknownThrottle } from './unknown-throttle.ts';

type FinderDependencies = { store: Store; clock: Clock; blocks: BlockList; domains: ShortDomains };

export type LinkFinder = (request: FastifyRequest, alias: string) => Promise<Link>;

/**
 * Creates a function that finds an active link by its alias on the domain of the request.
 *
 * After `UNKNOWN_PER_MINUTE` requests for unknown aliases, a client gets a 429 for known aliases, too,
 * because they would otherwise stand out. Every lookup is counted before it starts and uncounted if it
 * finds a link, so that concurrent requests cannot exceed the limit. If all visitors come through a
 * proxy that is not in `TRUST_PROXY`, only unknown aliases get a 429. Paths that cannot be an alias
 * (`/wp-login.php`, `/login`) reveal nothing and do not count.
 *
 * @throws ServiceError `not_found`, `link_gone`, `link_blocked`, `too_early` or `rate_limited`
 * @see docs/api.md, "Limits" and "Visit a short link"
 */
export function createLinkFinder(
  { store, clock, blocks, domains }: FinderDependencies,
  throttle: UnknownThrottle,
  proxy: UnnamedProxy,
): LinkFinder {
  return async (request, alias) => {
    // Also keeps a path such as `/go.example/sale` from leading to a link of another domain.
    if (!ALIAS_PATTERN.test(alias)) throw notFound();
    const domain = domains.ofHost(request.host);
    const storedAlias = domains.qualify(domain, alias);
    const address = clientAddress(request);
    const isForwarded = hasUntrustedForwardedFor(request);
    proxy.observe(address, isForwarded);
    const waitSeconds = await throttle.begin(address);
    if (waitSeconds > 0 && !proxy.forwards(isForwarded)) throw tooManyUnknown(waitSeconds);

    let isUnknown = false;
    try {
      const now = clock();
      const known = store.knownLink(storedAlias);
      // What must not be known takes the time of what is not: a look-up that finds nothing. No alias has a *.
      const wanted = known && isHidden(known, now) ? `${storedAlias}*` : storedAlias;
      // Its hits may be old.
      const isReady = known?.maxVisits === null && wanted === storedAlias;
      const link = isReady ? known : await store.findLink(wanted);
      if (!link || isHidden(link, now)) {
        isUnknown = !isReserved(alias);
        throw isUnknown && waitSeconds > 0 ? tooManyUnknown(waitSeconds) : notFound();
      }
      const status = linkStatus(link, now, blocks);
      if (status !== 'active') throw notActive(link, status, now);
      // A link that has moved to another domain is still visited at its previous short URL.
      const isOnRemovedDomain = domain.isRemoved && domains.split(link.alias).domain.isRemoved;
      if (isOnRemovedDomain) throw new LinkGoneError(link, 'domain_removed');
      return link;
    } finally {
      if (waitSeconds === 0) await throttle.end(address, isUnknown);
    }
  };
}

/** Whether visitors must not learn yet that there is such a link. */
function isHidden({ hideUntilStart, startsAt }: Link, now: number): boolean {
  return hideUntilStart && startsAt !== null && now < startsAt;
}

function notFound(): ServiceError {
  return new ServiceError('not_found', 'There is no link at this address.');
}

function tooManyUnknown(retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    `Too many requests for links that do not exist. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
