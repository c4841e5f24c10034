import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Service } from '../core/context.ts';
import { ServiceError } from '../core/service-error.ts';
import { WindowCounter } from '../http/window-counter.ts';
import { clientKey } from './caller.ts';

const RATE_WINDOW_MS = 60_000;

/**
 * The rate of shorten calls, for routes that say `config: { rateLimit: {} }`. With the store
 * below, `app.createRateLimit()` reads the same windows.
 * Source: contract, "Limits".
 */
export const shortenRate = fp(async (app: FastifyInstance, { service }: { service: Service }) => {
  await app.register(rateLimit, {
    global: false,
    max: service.settings.rateLimitPerMinute,
    timeWindow: RATE_WINDOW_MS,
    enableDraftSpec: true,
    keyGenerator: clientKey,
    store: class extends WindowCounter {
      constructor() {
        super(RATE_WINDOW_MS, service.clock);
      }
    },
    errorResponseBuilder: (_request, { max, ttl }) =>
      new ServiceError(
        'rate_limited',
        `More than ${max} calls in a minute. Try again in ${Math.ceil(ttl / 1000)} seconds.`,
      ),
  });
});
