import type { FastifyRequest } from 'fastify';
import { ALIAS_PATTERN } from '../../shared/limits.ts';
import type { Service } from '../core/context.ts';
import { ServiceError } from '../core/service-error.ts';
import { clientAddress } from '../http/client-ip.ts';
import { WindowCounter } from '../http/window-counter.ts';
import { isReserved } from '../links/aliases.ts';
import type { Link } from '../store/store.ts';

const MISS_WINDOW_MS = 60_000;
const MAX_MISSES = 60;

export type LinkFinder = (request: FastifyRequest, alias: string) => Promise<Link>;

/**
 * Finds the link that a visitor asks for, and only one that works.
 *
 * A client that has asked for sixty unknown aliases in a minute is refused known ones, too: else
 * those would still stand out. What cannot be an alias (`/wp-login.php`, `/login`) gives nothing
 * away, and does not count.
 *
 * @throws ServiceError `not_found`, `link_gone` or `rate_limited`
 * Source: contract, "Limits" and "Visiting a short link".
 */
export function createLinkFinder({ store, clock }: Service): LinkFinder {
  const misses = new WindowCounter(MISS_WINDOW_MS, clock);

  return async (request, alias) => {
    if (!ALIAS_PATTERN.test(alias)) throw notFound();
    const client = clientAddress(request);
    const before = misses.state(client);
    if (before.current >= MAX_MISSES) throw tooManyMisses(before.ttl);

    const link = await store.findLink(alias);
    if (!link) {
      if (isReserved(alias)) throw notFound();
      const { current, ttl } = misses.add(client);
      throw current > MAX_MISSES ? tooManyMisses(ttl) : notFound();
    }
    if (!link.isActive || (link.expiresAt !== null && link.expiresAt <= clock())) {
      throw new ServiceError('link_gone', 'This link has expired or was switched off.');
    }
    return link;
  };
}

function notFound(): ServiceError {
  return new ServiceError('not_found', 'There is no link with this address.');
}

function tooManyMisses(ttl: number): ServiceError {
  const retryAfterSeconds = Math.ceil(ttl / 1000);
  return new ServiceError(
    'rate_limited',
    `Too many links that do not exist. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
