import { createHmac } from 'node:crypto';
import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { Time } from '../../shared/time.ts';
import type { StoredCounters } from '../store/counters.ts';
import type { LimitOptions, LimitPart, LimitStore } from './limit-store.ts';
import { MemoryStore } from './memory-store.ts';
import { DatabaseStore, ExchangedStore } from './shared-stores.ts';

type Options = {
  /** Undefined: no other server uses the data. */
  counters: StoredCounters | undefined;
  time: Time;
  /** The same for all servers with this data. */
  secret: Buffer;
  /** Called when limits are not exchanged any more. */
  onError: (error: unknown) => void;
};

/** Creates the stores of limits: in memory if this process is the only one that uses the data. */
export class LimitStores {
  readonly #options: Options;
  readonly #exchanged: ExchangedStore[] = [];

  constructor(options: Options) {
    this.#options = options;
  }

  /** Creates the store of a limit that no interleaving of requests exceeds, also across servers. */
  exact(limit: LimitOptions): LimitStore {
    const { counters, time } = this.#options;
    return counters
      ? new DatabaseStore(limit, counters, this.#toStored(limit))
      : new MemoryStore(limit, time.monotonic);
  }

  /** Creates the store of a limit that must not wait for the database: whoever asks several servers at once gets more. */
  exchanged(limit: LimitOptions): MemoryStore {
    const { counters, time, onError } = this.#options;
    if (!counters) return new MemoryStore(limit, time.monotonic);
    const toStored = this.#toStored(limit);
    const store = new ExchangedStore(limit, { counters, time, toStored, onError });
    this.#exchanged.push(store);
    return store;
  }

  async close(): Promise<void> {
    await Promise.all(this.#exchanged.map((store) => store.close()));
  }

  /** The database never sees a client's address: it has only a hash with a secret key. */
  #toStored({ name }: LimitOptions) {
    return ({ key, max }: LimitPart): LimitPart => ({
      key: createHmac('sha256', this.#options.secret).update(`${name} ${key}`).digest('base64url'),
      max,
    });
  }
}

export type LimitState = { isExceeded: boolean; remaining: number; ttlInSeconds: number };

/** Counts events under keys, see `addressKey`. */
export type Limit = Pick<LimitStore, 'takeBack'> & {
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

  /** Creates a limit that no interleaving of requests exceeds, also across servers. */
  exact(limit: LimitOptions): Limit {
    const store = this.#stores.exact(limit);
    const { max, windowMs: timeWindow } = limit;
    const keyGenerator = ({ key }: Subject) => key;
    const count = this.#createRateLimit({ max, timeWindow, keyGenerator, store });
    return {
      take: (key) => count({ key, routeOptions: {} }),
      read: (key) => count({ key, routeOptions: {} }, { increment: false }),
      takeBack: (key) => store.takeBack(key),
    };
  }

  /** Creates a limit that does not wait for the database: whoever asks several servers at once gets a little more. */
  exchanged(limit: LimitOptions): MemoryStore {
    return this.#stores.exchanged(limit);
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
