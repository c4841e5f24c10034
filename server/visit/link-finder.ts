import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { ALIAS_PATTERN } from '../../shared/limits.ts';
import type { Service } from '../core/context.ts';
import { ServiceError } from '../core/service-error.ts';
import { clientAddress } from '../http/client-ip.ts';
import { hasIgnoredForwardedFor } from '../http/unnamed-proxy.ts';
import { isReserved } from '../links/aliases.ts';
import type { Link } from '../store/store.ts';
import type { UnknownThrottle } from './unknown-throttle.ts';

export type LinkFinder = (request: FastifyRequest, alias: string) => Promise<Link>;

/**
 * Finds the link that a visitor asks for, and only one that works.
 *
 * Once a client has asked for `UNKNOWN_PER_MINUTE` unknown aliases, it is refused known ones too,
 * since those would still stand out. Every look-up counts before it starts, and is taken back if
 * it finds a link: requests that arrive all at once do not get past the limit. If one proxy that
 * `TRUST_PROXY` does not name brings all visitors, only unknown aliases are refused. What cannot be
 * an alias (`/wp-login.php`, `/login`) gives nothing away and does not count.
 *
 * @throws ServiceError `not_found`, `link_gone` or `rate_limited`
 * Source: contract, "Limits" and "Visiting".
 */
export function createLinkFinder(
  { store, clock }: Service,
  { lookUps, proxy }: UnknownThrottle,
): LinkFinder {
  return async (request, alias) => {
    if (!ALIAS_PATTERN.test(alias)) throw notFound();
    const address = clientAddress(request);
    const isForwarded = hasIgnoredForwardedFor(request);
    proxy.watch(address, isForwarded);
    let wait = lookUps.take(address);
    if (wait > 0) {
      // The limit may be reached only by look-ups of the same packet that will find their links.
      await setImmediate();
      wait = lookUps.take(address);
    }
    if (wait > 0 && !proxy.brings(isForwarded)) throw tooManyUnknown(wait);

    let isUnknown = false;
    try {
      const link = await store.findLink(alias);
      if (!link) {
        isUnknown = !isReserved(alias);
        throw isUnknown && wait > 0 ? tooManyUnknown(wait) : notFound();
      }
      if (!link.isActive || (link.expiresAt !== null && link.expiresAt <= clock())) {
        throw new ServiceError('link_gone', 'This link has expired or was switched off.');
      }
      return link;
    } finally {
      if (!isUnknown && wait === 0) lookUps.takeBack(address);
    }
  };
}

function notFound(): ServiceError {
  return new ServiceError('not_found', 'There is no link with this address.');
}

function tooManyUnknown(waitMs: number): ServiceError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return new ServiceError(
    'rate_limited',
    `Too many links that do not exist. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
