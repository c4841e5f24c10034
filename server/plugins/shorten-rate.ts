import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import type { Service } from '../core/context.ts';
import { ServiceError } from '../core/service-error.ts';
import { AddressLimit } from '../http/limits/address-limit.ts';
import { WindowCounter } from '../http/limits/window-counter.ts';
import { clientKey } from './caller.ts';

const RATE_WINDOW_MS = 60_000;
/** Several people or tokens can share one address, so its limit is ten times as high. */
const ADDRESS_FACTOR = 10;

export type ShortenLimits = ReturnType<typeof createShortenLimits>;

/** The windows of the rate limit, for all routes that shorten. */
export function createShortenLimits({ settings, monotonicClock }: Service) {
  const max = settings.rateLimitPerMinute;
  const addressMax = max * ADDRESS_FACTOR;
  const windows = { windowMs: RATE_WINDOW_MS, clock: monotonicClock };
  return {
    max,
    addressMax,
    clients: new WindowCounter({ ...windows, max }),
    addresses: new AddressLimit({ ...windows, max: addressMax }),
    /** Without a token, the limit of a /56 is ten times that of a /64. */
    anonymousNetworks: new WindowCounter({ ...windows, max: addressMax }),
  };
}

/**
 * The rate limit of routes with `config: { rateLimit: {} }`. With the store below,
 * `app.createRateLimit()` reads the same windows.
 *
 * @see docs/api.md, "Limits"
 */
export const shortenRate = fp(
  async (app: FastifyInstance, { limits }: { limits: ShortenLimits }) => {
    const { max, addressMax, clients, addresses, anonymousNetworks } = limits;

    const limitAddress: onRequestHookHandler = ({ caller }, reply, done) => {
      const { address } = caller;
      let waitMs = addresses.take(address);
      if (waitMs === 0 && caller.kind !== 'account' && address.network !== undefined) {
        waitMs = anonymousNetworks.take(address.network);
      }
      done(waitMs > 0 ? addressLimitError(reply, addressMax, waitMs) : undefined);
    };
    // Before the client's own limit, which @fastify/rate-limit adds to the same routes.
    app.addHook('onRoute', (route) => {
      if (route.config?.rateLimit) route.onRequest = [route.onRequest ?? [], limitAddress].flat();
    });

    await app.register(rateLimit, {
      global: false,
      max,
      timeWindow: RATE_WINDOW_MS,
      enableDraftSpec: true,
      keyGenerator: clientKey,
      // The plugin makes an instance of its own, which counts in the common windows.
      store: class {
        incr = clients.incr.bind(clients);
        read = clients.read.bind(clients);
        child = () => this;
      },
      errorResponseBuilder: (_request, { max, ttl }) =>
        new ServiceError(
          'rate_limited',
          `More than ${max} requests per minute. Try again in ${Math.ceil(ttl / 1000)} seconds.`,
        ),
    });
  },
);

function addressLimitError(reply: FastifyReply, max: number, waitMs: number): ServiceError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  reply.headers({
    'ratelimit-limit': max,
    'ratelimit-remaining': 0,
    'ratelimit-reset': retryAfterSeconds,
  });
  return new ServiceError(
    'rate_limited',
    `More than ${max} requests per minute from this address. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
