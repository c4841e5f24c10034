import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import type { Service } from '../core/context.ts';
import { MINUTE_MS } from '../core/durations.ts';
import { ServiceError } from '../core/service-error.ts';
import { addressCounters, type Counter } from '../http/limits/counters.ts';
import type { Taken } from '../store/counters.ts';
import { type Caller, clientKey } from './caller.ts';

/** Several people or tokens can share one address, so its limit is ten times as high. */
const ADDRESS_FACTOR = 10;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests count against the rate limit, whether they succeed or not. @default false */
    countsAsShorten?: boolean;
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
 * The rate limit of routes with `config: { countsAsShorten: true }`.
 *
 * @see docs/api.md, "Limits"
 */
export const shortenRate = fp(
  async (app: FastifyInstance, { limits }: { limits: ShortenLimits }) => {
    const limitRate: onRequestHookHandler = ({ caller }, reply, done) => {
      const proceed = (taken: Taken) => done(check(taken, caller, reply, limits));
      const taken = limits.take(caller);
      // Counters in memory cost no promise.
      if (taken instanceof Promise) taken.then(proceed, done);
      else proceed(taken);
    };
    app.addHook('onRoute', (route) => {
      if (route.config?.countsAsShorten) {
        route.onRequest = [route.onRequest ?? [], limitRate].flat();
      }
    });
  },
);

/** Sets the headers. @returns an error if the request is above the limit */
function check(
  taken: Taken,
  caller: Caller,
  reply: FastifyReply,
  limits: ShortenLimits,
): ServiceError | undefined {
  if (taken.isCounted) {
    const { current = 0, ttl = 0 } = taken.states.at(-1) ?? {};
    setHeaders(reply, limits.max, limits.max - current, Math.ceil(ttl / 1000));
    return undefined;
  }
  const retryAfterSeconds = Math.ceil(taken.waitMs / 1000);
  const isOfClient = limits.isOfClient(caller, taken.full);
  const max = isOfClient ? limits.max : limits.addressMax;
  setHeaders(reply, max, 0, retryAfterSeconds);
  return new ServiceError(
    'rate_limited',
    `More than ${max} requests per minute${isOfClient ? '' : ' from this address'}. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}

function setHeaders(reply: FastifyReply, max: number, remaining: number, reset: number): void {
  reply.headers({
    'ratelimit-limit': max,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': reset,
  });
}
