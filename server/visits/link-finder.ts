import { ALIAS_PATTERN } from '../../shared/limits.ts';
import type { LinkStatus } from '../../shared/links/link-status.ts';
import type { BlockList } from '../blocks/block-list.ts';
import { isReserved } from '../domains/named-domain.ts';
import type { Domain, Domains } from '../domains/short-domains.ts';
import { rateLimited, ServiceError } from '../lib/service-error.ts';
import type { Clock } from '../lib/time.ts';
import type { UnnamedProxy } from '../limits/client-address.ts';
import { type Link, linkStatus } from '../store/link.ts';
import type { Store } from '../store/store.ts';
import type { UnknownThrottle } from './unknown-throttle.ts';
import type { Visit } from './visit.ts';

/** Says no more than a visitor needs: not whether the link was deleted, nor by whom, when or why. */
const MESSAGES: Record<Exclude<LinkStatus, 'active' | 'scheduled' | 'blocked'>, string> = {
  inactive: 'This link was turned off.',
  deleted: 'This link was turned off.',
  expired: 'This link has expired.',
  used_up: 'This link has been used up.',
  domain_removed: 'This link was turned off.',
};

/** The link no longer leads to its targets. */
export class LinkGoneError extends ServiceError {
  readonly link: Link;
  /** Where visitors go instead; null if the link or its domain is gone for good, or it has no such target. */
  readonly goneUrl: string | null;

  constructor(link: Link, status: keyof typeof MESSAGES) {
    super('link_gone', MESSAGES[status]);
    this.link = link;
    const isOwners = status !== 'deleted' && status !== 'domain_removed';
    this.goneUrl = isOwners ? link.goneUrl : null;
  }
}

/** Returns the error for a visit of a link that is not active. */
export function notActive(
  link: Link,
  status: Exclude<LinkStatus, 'active'>,
  now: number,
): ServiceError {
  switch (status) {
    case 'blocked':
      return new ServiceError('link_blocked', 'The operator of this server has blocked this link.');
    case 'scheduled':
      return notStarted(link.startsAt ?? now, now);
    default:
      return new LinkGoneError(link, status);
  }
}

function notStarted(startsAt: number, now: number): ServiceError {
  return new ServiceError(
    'too_early',
    `This link works from ${new Date(startsAt).toISOString()}.`,
    { startsAt, retryAfterSeconds: Math.ceil((startsAt - now) / 1000) },
  );
}

type FinderDependencies = { store: Store; clock: Clock; blocks: BlockList; domains: Domains };

/** Not a promise if the link is in memory and nothing has to be waited for, as with most visits. */
export type LinkFinder = (visit: Visit) => Link | Promise<Link>;

type WantedLink = {
  /** Whether whoever asks must not learn yet that there is such a link. */
  isHidden(link: Link, now: number): boolean;
  /** @throws ServiceError if it does not work */
  assertUsable(link: Link, status: LinkStatus, now: number): void;
};

const VISITED: WantedLink = {
  isHidden: ({ hideUntilStart, startsAt }, now) =>
    hideUntilStart && startsAt !== null && now < startsAt,
  assertUsable(link, status, now) {
    if (status !== 'active') throw notActive(link, status, now);
  },
};

/** A link whose statistics everybody can see, also if it no longer works. */
export const WITH_PUBLIC_STATISTICS: WantedLink = {
  isHidden: (link, now) =>
    !link.publicStats || link.deletedAt !== null || VISITED.isHidden(link, now),
  assertUsable(link, status, now) {
    if (status === 'blocked') throw notActive(link, status, now);
  },
};

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
 * @see docs/settings.md, "Limits", and docs/api.md, "Visit a short link"
 */
export function createLinkFinder(
  { store, clock, blocks, domains }: FinderDependencies,
  throttle: UnknownThrottle,
  proxy: UnnamedProxy,
  { isHidden, assertUsable }: WantedLink = VISITED,
): LinkFinder {
  /** Whether the link in memory says all: nobody else counts its visits, and whoever asks may know of it. */
  function isReady(link: Link, now: number): boolean {
    return link.maxVisits === null && !isHidden(link, now);
  }

  /** @throws ServiceError if the link leads nowhere now */
  function assertActive(link: Link, domain: Domain, now: number): Link {
    assertUsable(link, linkStatus(link, now, blocks), now);
    // A link that has moved to another domain is still visited at its previous short URL.
    const isOnRemovedDomain = domain.isRemoved && domains.split(link.alias).domain.isRemoved;
    if (isOnRemovedDomain) throw new LinkGoneError(link, 'domain_removed');
    return link;
  }

  async function lookUp(visit: Visit, domain: Domain): Promise<Link> {
    const { alias, address } = visit;
    const waitSeconds = await throttle.begin(address);
    if (waitSeconds > 0 && !proxy.forwards(visit.hasUntrustedForwardedFor)) {
      throw tooManyUnknown(waitSeconds);
    }
    let isUnknown = false;
    try {
      const now = clock();
      const storedAlias = domains.qualify(domain, alias);
      const known = store.knownLink(storedAlias);
      // What must not be known takes the time of what is not: a look-up that finds nothing. No alias has a *.
      const wanted = known && isHidden(known, now) ? `${storedAlias}*` : storedAlias;
      const link = known && isReady(known, now) ? known : await store.findLink(wanted);
      if (!link || isHidden(link, now)) {
        isUnknown = !isReserved(alias);
        throw isUnknown && waitSeconds > 0 ? tooManyUnknown(waitSeconds) : notFound();
      }
      return assertActive(link, domain, now);
    } finally {
      if (waitSeconds === 0) throttle.end(address, isUnknown);
    }
  }

  return (visit) => {
    const { alias, address } = visit;
    // Also keeps a path such as `/go.example/sale` from leading to a link of another domain.
    if (!ALIAS_PATTERN.test(alias)) throw notFound();
    const domain = domains.ofHost(visit.host);
    proxy.observe(address, visit.hasUntrustedForwardedFor);
    const now = clock();
    const known = store.knownLink(domains.qualify(domain, alias));
    // It could count as unknown only until it is found.
    if (known && isReady(known, now) && throttle.isIdle(address)) {
      return assertActive(known, domain, now);
    }
    return lookUp(visit, domain);
  };
}

function notFound(): ServiceError {
  return new ServiceError('not_found', 'There is no link at this address.');
}

function tooManyUnknown(waitSeconds: number): ServiceError {
  return rateLimited('Too many requests for links that do not exist.', waitSeconds);
}
