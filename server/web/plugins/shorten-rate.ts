import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { type Caller, clientKey } from '../../accounts/caller.ts';
import type { Settings } from '../../config.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { addressKey } from '../../limits/limit-key.ts';
import type { Limits } from '../../limits/limits.ts';

/** Several people or tokens can share one address, so its limit is ten times as high. */
const ADDRESS_FACTOR = 10;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests count against the rate limit. */
    isRateLimited?: true;
  }
}

export type ShortenLimit = ReturnType<typeof createShortenLimit>;

/** The rate limit, with the same counters for all routes that shorten. */
export function createShortenLimit(
  { rateLimitPerMinute: max }: Pick<Settings, 'rateLimitPerMinute'>,
  limits: Limits,
) {
  const limit = limits.exact({ name: 'shorten', max, windowMs: MINUTE_MS });
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
    throw new ServiceError(
      'rate_limited',
      `More than ${reached} requests per minute${whose}. Try again in ${ttlInSeconds} seconds.`,
      { retryAfterSeconds: ttlInSeconds },
    );
  };

  return {
    max,
    /** Counts a request, or rejects it. */
    count,
    /** The state of the account's or client's own window, without counting. */
    read: (caller: Caller) => limit.read(ownKey(caller)),
  };
}

/**
 * The rate limit of routes with `config: { isRateLimited: true }`.
 *
 * @see docs/api.md, "Limits"
 */
export const shortenRate = fp(
  async (app: FastifyInstance, { limit: { count } }: { limit: ShortenLimit }) => {
    app.addHook('onRoute', (route) => {
      if (route.config?.isRateLimited) route.onRequest = [route.onRequest ?? [], count].flat();
    });
  },
);
