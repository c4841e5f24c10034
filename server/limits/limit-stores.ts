import { createHmac } from 'node:crypto';
import type { StoredCounters } from '../store/counters.ts';
import { DatabaseStore } from './database-store.ts';
import { ExchangedStore } from './exchanged-store.ts';
import type { LimitPart } from './limit-key.ts';
import type { LimitOptions, LimitStore } from './limit-store.ts';
import { MemoryStore } from './memory-store.ts';

type Options = {
  /** Undefined: no other server uses the data. */
  counters: StoredCounters | undefined;
  /** Monotonic milliseconds, for windows in memory. */
  clock: () => number;
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

  /** For a limit that no interleaving of requests exceeds, also across servers. */
  exact(limit: LimitOptions): LimitStore {
    const { counters, clock } = this.#options;
    return counters
      ? new DatabaseStore(limit, counters, this.#toStored(limit))
      : new MemoryStore(limit, clock);
  }

  /** For a limit that must not wait for the database: whoever asks several servers at once gets more. */
  exchanged(limit: LimitOptions): MemoryStore {
    const { counters, clock, onError } = this.#options;
    if (!counters) return new MemoryStore(limit, clock);
    const toStored = this.#toStored(limit);
    const store = new ExchangedStore(limit, { counters, clock, toStored, onError });
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
