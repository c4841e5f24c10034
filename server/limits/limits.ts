import { createHmac } from 'node:crypto';
import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Time } from '../../shared/time.ts';
import type { StoredCounters } from '../store/counters.ts';
import { type LimitCounter, type LimitPart, MemoryCounter } from './limit-counter.ts';
import type { LimitName, LimitOptions, LimitTable } from './limit-table.ts';
import { DatabaseCounter, ExchangedCounter } from './shared-counters.ts';

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

type Options = {
  table: LimitTable;
  /** Undefined: no other server uses the data. */
  counters: StoredCounters | undefined;
  time: Time;
  /** The same for all servers with this data. */
  secret: Buffer;
  /** Called when limits are not exchanged any more. */
  onError: (error: unknown) => void;
};

/** The limits of an app, each with a counter of its own: in memory if this process is the only one that uses the data. */
export class Limits {
  readonly #app: FastifyInstance;
  readonly #options: Options;
  readonly #exchanged: ExchangedCounter[] = [];
  /** The counter of the limit that is being created: the plugin asks one store for those of all limits. */
  #next: LimitCounter | undefined;

  private constructor(app: FastifyInstance, options: Options) {
    this.#app = app;
    this.#options = options;
  }

  static async register(app: FastifyInstance, options: Options): Promise<Limits> {
    const limits = new Limits(app, options);

    class Counters implements FastifyRateLimitStore {
      child(): FastifyRateLimitStore {
        return limits.#next ? toStore(limits.#next) : this;
      }

      incr(): never {
        throw new Error('Each limit has a counter of its own.');
      }
    }

    await app.register(rateLimit, { global: false, store: Counters });
    app.addHook('onClose', async () => {
      await Promise.all(limits.#exchanged.map((counter) => counter.close()));
    });
    return limits;
  }

  maxOf(name: LimitName): number {
    return this.#options.table[name].max;
  }

  /** Creates a limit that no interleaving of requests exceeds, also across servers. */
  exact(name: LimitName): Limit {
    const { counters, time } = this.#options;
    const limit = this.#named(name);
    const counter = counters
      ? new DatabaseCounter(limit, counters, this.#toStored(name))
      : new MemoryCounter(limit, time.monotonic);
    this.#next = counter;
    const count = this.#app.createRateLimit({
      max: limit.max,
      timeWindow: limit.windowMs,
      keyGenerator: ({ limitKey = '' }) => limitKey,
    });
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
  }

  /** Creates a limit that does not wait for the database: whoever asks several servers at once gets a little more. */
  exchanged(name: LimitName): MemoryCounter {
    const { counters, time, onError } = this.#options;
    const limit = this.#named(name);
    if (!counters) return new MemoryCounter(limit, time.monotonic);
    const toStored = this.#toStored(name);
    const counter = new ExchangedCounter(limit, { counters, time, toStored, onError });
    this.#exchanged.push(counter);
    return counter;
  }

  #named(name: LimitName): LimitOptions {
    return { name, ...this.#options.table[name] };
  }

  /** The database never sees a client's address: it has only a hash with a secret key. */
  #toStored(name: LimitName) {
    return ({ key, max }: LimitPart): LimitPart => ({
      key: createHmac('sha256', this.#options.secret).update(`${name} ${key}`).digest('base64url'),
      max,
    });
  }
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
