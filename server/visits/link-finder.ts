import { ALIAS_PATTERN } from '../../shared/bounds.ts';
import type { LinkStatus } from '../../shared/links/link-status.ts';
import type { Time } from '../../shared/time.ts';
import type { BlockList } from '../blocks/block-list.ts';
import { type Domain, type Domains, isReserved } from '../domains/short-domains.ts';
import { waitForTurn } from '../lib/places.ts';
import { busy, rateLimited, ServiceError } from '../lib/service-error.ts';
import type { Clock } from '../lib/time.ts';
import type { ClientAddress, UnnamedProxy } from '../limits/client-address.ts';
import { addressKey, type MemoryCounter } from '../limits/limit-counter.ts';
import { type Link, linkStatus } from '../store/link.ts';
import type { Store } from '../store/store.ts';
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

/** How long a look-up waits for others of its client. */
const WAIT_MAX_MS = 2000;

/** The look-ups of a network or client. */
type LookUps = { pending: number; waiting: (() => void)[] };

/**
 * Keeps a client from guessing aliases. After `UNKNOWN_PER_MINUTE` unknown ones, known ones are
 * rejected too, because they would otherwise stand out.
 *
 * Source: docs/settings.md, "Limits".
 */
export class UnknownThrottle {
  /** Counts look-ups of unknown aliases, including pending ones. */
  readonly #limit: MemoryCounter;
  readonly #time: Time;
  readonly #lookUps = new Map<string, LookUps>();

  constructor(limit: MemoryCounter, time: Time) {
    this.#limit = limit;
    this.#time = time;
  }

  /** Whether nothing counts against an address: no pending look-up, and no limit that is reached. */
  isIdle(address: ClientAddress): boolean {
    if (this.#lookUps.size > 0 && this.#lookUps.has(keyOf(address))) return false;
    return !this.#limit.hasFull || !this.#limit.isReached(addressKey(address));
  }

  /**
   * Begins a look-up, which counts as unknown until it ends. If only pending ones make the limit full, it
   * waits for them: they will mostly find their links.
   *
   * @returns 0, or the seconds until the client may look up again; then there is nothing to end
   * @throws ServiceError `busy` if that takes too long
   */
  async begin(address: ClientAddress): Promise<number> {
    const { monotonic } = this.#time;
    const deadline = monotonic() + WAIT_MAX_MS;
    for (;;) {
      const lookUps = this.#of(address);
      lookUps.pending++;
      const waitMs = this.#limit.reserve(addressKey(address));
      if (waitMs === 0) return 0;
      lookUps.pending--;
      if (lookUps.pending === 0) {
        // Nobody else would wake the next one.
        this.#next(address);
        return Math.ceil(waitMs / 1000);
      }
      if (!(await waitForTurn(lookUps.waiting, deadline - monotonic(), this.#time))) {
        throw busy('Too many links are being looked up. Try again shortly.');
      }
    }
  }

  /** Ends a look-up. */
  end(address: ClientAddress, isUnknown: boolean): void {
    const key = addressKey(address);
    if (isUnknown) this.#limit.keep(key);
    else this.#limit.takeBack(key);
    this.#of(address).pending--;
    this.#next(address);
  }

  #next(address: ClientAddress): void {
    const lookUps = this.#of(address);
    lookUps.waiting.shift()?.();
    const isIdle = lookUps.pending === 0 && lookUps.waiting.length === 0;
    if (isIdle) this.#lookUps.delete(keyOf(address));
  }

  #of(address: ClientAddress): LookUps {
    const key = keyOf(address);
    let lookUps = this.#lookUps.get(key);
    if (!lookUps) {
      lookUps = { pending: 0, waiting: [] };
      this.#lookUps.set(key, lookUps);
    }
    return lookUps;
  }
}

/** A network has a limit of its own, which the pending look-ups of all its clients count against. */
function keyOf({ client, networks: [widest] }: ClientAddress): string {
  return widest ?? client;
}
