import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Time } from '../../shared/time.ts';
import type { StoredCounters } from '../store/counters.ts';
import type { LimitCounter, LimitPart } from './limit-counter.ts';
import type { LimitName, LimitOptions, LimitTable } from './limit-table.ts';
import { MemoryCounter } from './memory-counter.ts';
import { type Limit, registerRateLimit } from './rate-limit.ts';
import { DatabaseCounter, ExchangedCounter } from './shared-counters.ts';

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

/** Creates the counters of limits: in memory if this process is the only one that uses the data. */
export class LimitCounters {
  readonly #options: Options;
  readonly #exchanged: ExchangedCounter[] = [];

  constructor(options: Options) {
    this.#options = options;
  }

  optionsOf(name: LimitName): LimitOptions {
    return { name, ...this.#options.table[name] };
  }

  /** Creates the counter of a limit that no interleaving of requests exceeds, also across servers. */
  exact(name: LimitName): LimitCounter {
    const { counters, time } = this.#options;
    const limit = this.optionsOf(name);
    return counters
      ? new DatabaseCounter(limit, counters, this.#toStored(limit))
      : new MemoryCounter(limit, time.monotonic);
  }

  /** Creates the counter of a limit that must not wait for the database: whoever asks several servers at once gets more. */
  exchanged(name: LimitName): MemoryCounter {
    const { counters, time, onError } = this.#options;
    const limit = this.optionsOf(name);
    if (!counters) return new MemoryCounter(limit, time.monotonic);
    const toStored = this.#toStored(limit);
    const store = new ExchangedCounter(limit, { counters, time, toStored, onError });
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

type ToLimit = Awaited<ReturnType<typeof registerRateLimit>>;

/** The limits of an app, each with a counter of its own. */
export class Limits {
  readonly #toLimit: ToLimit;
  readonly #counters: LimitCounters;

  private constructor(toLimit: ToLimit, counters: LimitCounters) {
    this.#toLimit = toLimit;
    this.#counters = counters;
  }

  static async register(app: FastifyInstance, counters: LimitCounters): Promise<Limits> {
    return new Limits(await registerRateLimit(app), counters);
  }

  maxOf(name: LimitName): number {
    return this.#counters.optionsOf(name).max;
  }

  /** Creates a limit that no interleaving of requests exceeds, also across servers. */
  exact(name: LimitName): Limit {
    return this.#toLimit(this.#counters.exact(name), this.#counters.optionsOf(name));
  }

  /** Creates a limit that does not wait for the database: whoever asks several servers at once gets a little more. */
  exchanged(name: LimitName): MemoryCounter {
    return this.#counters.exchanged(name);
  }
}
