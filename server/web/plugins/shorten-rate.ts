import type { onRequestAsyncHookHandler } from 'fastify';
import { type Caller, clientKey } from '../../accounts/caller.ts';
import { rateLimited } from '../../lib/service-error.ts';
import { addressKey } from '../../limits/limit-counter.ts';
import type { Limits } from '../../limits/limits.ts';

/** Several people or tokens can share one address, so its limit is ten times as high. */
const ADDRESS_FACTOR = 10;

export type ShortenLimit = ReturnType<typeof createShortenLimit>;

/**
 * Creates the rate limit, with the same counters for all routes that shorten.
 *
 * @see docs/settings.md, "Limits"
 */
export function createShortenLimit(limits: Limits) {
  const max = limits.maxOf('shorten');
  const limit = limits.exact('shorten');
  const ownKey = (caller: Caller) => `1*${clientKey(caller)}`;
  /** The address, and the account or client. Without a token, networks have multiples of the limit of a /64. */
  const keyOf = (caller: Caller) => {
    const wide = addressKey(caller.address, { factor: ADDRESS_FACTOR });
    return `${wide} ${caller.kind === 'account' ? ownKey(caller) : addressKey(caller.address)}`;
  };

  const count: onRequestAsyncHookHandler = async ({ caller }, reply) => {
    const { isExceeded, remaining, ttlInSeconds } = await limit.take(keyOf(caller));
    const isOwn = !isExceeded || (await limit.read(ownKey(caller))).remaining === 0;
    const reached = isOwn ? max : max * ADDRESS_FACTOR;
    reply.headers({
      'ratelimit-limit': reached,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': ttlInSeconds,
    });
    if (!isExceeded) return;
    const whose = isOwn ? '' : ' from this address';
    throw rateLimited(`More than ${reached} requests per minute${whose}.`, ttlInSeconds);
  };

  return {
    max,
    /** A hook that counts a request, or rejects it. */
    count,
    /** The state of the account's or client's own window, without counting. */
    read: (caller: Caller) => limit.read(ownKey(caller)),
  };
}
