import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { LimitOptions, LimitStore } from './limit-store.ts';
import type { LimitStores } from './limit-stores.ts';

export type LimitState = { isExceeded: boolean; remaining: number; ttlInSeconds: number };

/** Counts events under keys, see `addressKey`. */
export type Limit = Pick<LimitStore, 'takeBack' | 'keep'> & {
  /** Counts an event unless the limit is reached: then it is exceeded. */
  take(key: string): Promise<LimitState>;
  /** Counts nothing. Nothing remains if the limit of any part of the key is reached. */
  read(key: string): Promise<LimitState>;
};

/** What the plugin reads of a request. Not all that is limited has one, and some has several keys. */
type Subject = { key: string; routeOptions: object };

/** `createRateLimit` as it is used here: `store` reaches `child`, and no key is on an allow list. */
type CreateRateLimit = (options: {
  max: number;
  timeWindow: number;
  keyGenerator: (subject: Subject) => string;
  store: LimitStore;
}) => (subject: Subject, options?: { increment: boolean }) => Promise<LimitState>;

/** The limits of an app, each with a store of its own. */
export class Limits {
  readonly #createRateLimit: CreateRateLimit;
  readonly #stores: LimitStores;

  private constructor(app: FastifyInstance, stores: LimitStores) {
    this.#createRateLimit = app.createRateLimit as unknown as CreateRateLimit;
    this.#stores = stores;
  }

  static async register(app: FastifyInstance, stores: LimitStores): Promise<Limits> {
    await app.register(rateLimit, { global: false, store: OwnStores });
    return new Limits(app, stores);
  }

  /** A limit that no interleaving of requests exceeds, also across servers. */
  exact(limit: LimitOptions): Limit {
    return this.of(this.#stores.exact(limit));
  }

  /** A limit that does not wait for the database: whoever asks several servers at once gets a little more. */
  exchanged(limit: LimitOptions): Limit {
    return this.of(this.#stores.exchanged(limit));
  }

  /** The limit of a store that is used without it, too. */
  of(store: LimitStore): Limit {
    const { max, windowMs: timeWindow } = store.limit;
    const keyGenerator = ({ key }: Subject) => key;
    const count = this.#createRateLimit({ max, timeWindow, keyGenerator, store });
    return {
      take: (key) => count({ key, routeOptions: {} }),
      read: (key) => count({ key, routeOptions: {} }, { increment: false }),
      takeBack: (key) => store.takeBack(key),
      keep: (key) => store.keep(key),
    };
  }
}

/** The plugin asks one store for the stores of all limits. */
class OwnStores implements FastifyRateLimitStore {
  child(options: object): FastifyRateLimitStore {
    return (options as { store: FastifyRateLimitStore }).store;
  }

  incr(): never {
    throw new Error('Each limit counts in a store of its own.');
  }
}
