import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import type { Service } from '../dependencies.ts';
import { MINUTE_MS } from '../lib/durations.ts';
import { ServiceError } from '../lib/service-error.ts';
import { addressCounters, type Counter } from '../limits/counters.ts';
import type { Taken, WindowState } from '../store/counters.ts';
import { type Caller, clientKey } from './caller.ts';

/** Several people or tokens can share one address, so its limit is ten times as high. */
const ADDRESS_FACTOR = 10;

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the account's or client's window, this request included. */
    shortenRate: WindowState;
  }
}

export type ShortenLimits = ReturnType<typeof createShortenLimits>;

/** The rate limit, with the same counters for all routes that shorten. */
export function createShortenLimits({
  settings,
  counters,
}: Pick<Service, 'settings' | 'counters'>) {
  const max = settings.rateLimitPerMinute;
  const addressMax = max * ADDRESS_FACTOR;
  const windowMs = MINUTE_MS;
  const clients = { name: 'shorten', max, windowMs };
  const addresses = addressCounters({ name: 'shorten, address', max: addressMax, windowMs });
  /** Without a token, the limit of a /56 is ten times that of a /64. */
  const anonymousNetworks = { name: 'shorten, anonymous network', max: addressMax, windowMs };

  const counterOf = (caller: Caller): Counter => ({ limit: clients, key: clientKey(caller) });
  const countersOf = (caller: Caller): Counter[] => {
    const { network } = caller.address;
    const isAnonymous = caller.kind !== 'account' && network !== undefined;
    return [
      ...addresses(caller.address),
      ...(isAnonymous ? [{ limit: anonymousNetworks, key: network }] : []),
      // Last, see `take`.
      counterOf(caller),
    ];
  };

  return {
    max,
    addressMax,
    /** Counts a request: of the address, then, as the last one, of the account or client. */
    take: (caller: Caller) => counters.take(countersOf(caller)),
    /** Whether a counter that `take` names is that of the account or client. */
    isOfClient: (caller: Caller, index: number) => index === countersOf(caller).length - 1,
    /** The state of the account's or client's own window, without counting. */
    read: (caller: Caller) => counters.read(counterOf(caller)),
  };
}

/**
 * The rate limit of routes with `config: { rateLimit: {} }`.
 *
 * @see docs/api.md, "Limits"
 */
export const shortenRate = fp(
  async (app: FastifyInstance, { limits }: { limits: ShortenLimits }) => {
    app.decorateRequest('shortenRate');

    const count: onRequestHookHandler = (request, reply, done) => {
      const proceed = (taken: Taken) => done(noteOutcome(taken, request, reply, limits));
      const taken = limits.take(request.caller);
      // Counters in memory cost no promise.
      if (taken instanceof Promise) taken.then(proceed, done);
      else proceed(taken);
    };
    // Before the hook of @fastify/rate-limit, which is added to the same routes.
    app.addHook('onRoute', (route) => {
      if (route.config?.rateLimit) route.onRequest = [route.onRequest ?? [], count].flat();
    });

    await app.register(rateLimit, {
      global: false,
      max: limits.max,
      timeWindow: MINUTE_MS,
      enableDraftSpec: true,
      // All counters of a request were taken at once, which may be one round trip to a database. So the
      // plugin's key is the outcome, which its store only has to read.
      keyGenerator: ({ shortenRate: { current, ttl } }) => `${current} ${ttl}`,
      store: class {
        incr(outcome: string, done: (error: null, state: WindowState) => void): void {
          const [current = 0, ttl = 0] = outcome.split(' ').map(Number);
          done(null, { current, ttl });
        }
        child = () => this;
      },
      errorResponseBuilder: (_request, { max, ttl }) => rateLimited(max, '', Math.ceil(ttl / 1000)),
    });
  },
);

/** @returns an error if the address is above its limit; the plugin rejects clients above theirs */
function noteOutcome(
  taken: Taken,
  request: FastifyRequest,
  reply: FastifyReply,
  limits: ShortenLimits,
): ServiceError | undefined {
  if (taken.isCounted) {
    request.shortenRate = taken.states.at(-1) as WindowState;
    return undefined;
  }
  if (limits.isOfClient(request.caller, taken.full)) {
    request.shortenRate = { current: limits.max + 1, ttl: taken.waitMs };
    return undefined;
  }
  const retryAfterSeconds = Math.ceil(taken.waitMs / 1000);
  reply.headers({
    'ratelimit-limit': limits.addressMax,
    'ratelimit-remaining': 0,
    'ratelimit-reset': retryAfterSeconds,
  });
  return rateLimited(limits.addressMax, ' from this address', retryAfterSeconds);
}

function rateLimited(max: number, whose: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    `More than ${max} requests per minute${whose}. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
