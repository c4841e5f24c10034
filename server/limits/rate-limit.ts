import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LimitCounter } from './limit-counter.ts';
import type { LimitOptions } from './limit-table.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What counts, instead of an address. Not all that is limited is a request, and some has several keys. */
    limitKey?: string;
  }
}

export type LimitState = { isExceeded: boolean; remaining: number; ttlInSeconds: number };

/** Counts events under keys, see `addressKey`. */
export type Limit = Pick<LimitCounter, 'takeBack'> & {
  /** Counts an event unless the limit is reached: then it is exceeded. */
  take(key: string): Promise<LimitState>;
  /** Counts nothing. Nothing remains if the limit of any part of the key is reached. */
  read(key: string): Promise<LimitState>;
};

/**
 * Registers @fastify/rate-limit.
 *
 * @returns a function that makes a limit of a counter
 */
export async function registerRateLimit(app: FastifyInstance) {
  /** The counter of the limit that is being made: the plugin asks one store for those of all limits. */
  let next: LimitCounter | undefined;

  class Counters implements FastifyRateLimitStore {
    child(): FastifyRateLimitStore {
      return next ? toStore(next) : this;
    }

    incr(): never {
      throw new Error('Each limit has a counter of its own.');
    }
  }

  await app.register(rateLimit, { global: false, store: Counters });

  return (counter: LimitCounter, { max, windowMs: timeWindow }: LimitOptions): Limit => {
    next = counter;
    const keyGenerator = ({ limitKey = '' }: FastifyRequest) => limitKey;
    const count = app.createRateLimit({ max, timeWindow, keyGenerator });
    const countKey = async (limitKey: string, increment: boolean): Promise<LimitState> => {
      const state = await count({ limitKey, routeOptions: {} } as FastifyRequest, { increment });
      // No key is on a list of those that are always allowed.
      if (state.isAllowed) throw new Error('Nobody is beyond limits.');
      return state;
    };
    return {
      take: (key) => countKey(key, true),
      read: (key) => countKey(key, false),
      takeBack: (key) => counter.takeBack(key),
    };
  };
}

/** The types of the plugin lack `read`. */
type ReadableStore = FastifyRateLimitStore & Pick<LimitCounter, 'read'>;

function toStore(counter: LimitCounter): ReadableStore {
  return {
    incr: (key, done) => counter.incr(key, done),
    read: (key, done) => counter.read(key, done),
    child: () => toStore(counter),
  };
}
