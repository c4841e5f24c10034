import { createHmac } from 'node:crypto';
import type { StoredCounter, StoredCounters, Taken, WindowState } from '../store/counters.ts';
import type { Awaitable, Store } from '../store/store.ts';
import type { ClientAddress } from './client-ip.ts';
import { WindowCounter } from './window-counter.ts';

/** A /56 has 256 networks of size /64, which often belong to one household. */
const NETWORK_FACTOR = 10;

/** At most `max` events per key in a window, which starts with its first event. */
export type Limit = {
  /** Unlike that of any other limit. */
  name: string;
  max: number;
  windowMs: number;
};

/** What a limit counts, such as a client's address. */
export type Counter = { limit: Limit; key: string };

/** Counters of limits that no interleaving of requests exceeds. */
export interface Counters {
  /** Counts an event of each counter; if one has reached its limit, of none. */
  take(counters: readonly Counter[]): Awaitable<Taken>;
  /** Uncounts an event of each counter, such as an attempt with the right password. */
  takeBack(counters: readonly Counter[]): Awaitable<void>;
  /** The state of a counter's window, without counting. */
  read(counter: Counter): Awaitable<WindowState>;
}

/**
 * Counts in memory if this process is the only one that uses the data, and otherwise in the store.
 *
 * @param options.clock monotonic milliseconds, for windows in memory
 * @param options.secret the same for all servers with this data
 */
export function createCounters(
  store: Pick<Store, 'counters'>,
  options: { clock: () => number; secret: Buffer },
): Counters {
  return store.counters
    ? new SharedCounters(store.counters, options.secret)
    : new MemoryCounters(options.clock);
}

/** The limit of an IPv6 /56: ten times that of a /64, which is a client. */
export function networkLimit(limit: Limit): Limit {
  return { ...limit, name: `${limit.name}, network`, max: limit.max * NETWORK_FACTOR };
}

/**
 * Creates a function that returns the counters of an address under a limit: for IPv6, of its /56 and its
 * /64. A `scope`, such as a link, has counters of its own.
 *
 * @see docs/api.md, "Limits"
 */
export function addressCounters(limit: Limit) {
  const networks = networkLimit(limit);
  return ({ client, network }: ClientAddress, scope = ''): Counter[] => {
    const counter = { limit, key: scope + client };
    return network === undefined ? [counter] : [{ limit: networks, key: scope + network }, counter];
  };
}

/**
 * The key under which all servers count. The database never sees a client's address: it has only a hash
 * with a secret key.
 */
export function toStored({ limit, key }: Counter, secret: Buffer): StoredCounter {
  const hash = createHmac('sha256', secret).update(`${limit.name} ${key}`).digest('base64url');
  return { key: hash, max: limit.max, windowMs: limit.windowMs };
}

/** Counts in memory, at once. A restart resets all windows. */
export class MemoryCounters implements Counters {
  readonly #clock: () => number;
  readonly #windows = new Map<Limit, WindowCounter>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  take(counters: readonly Counter[]): Taken {
    const full = counters.findIndex(({ limit, key }) => this.#of(limit).isFull(key));
    const counter = counters[full];
    if (counter) return { isCounted: false, full, waitMs: this.read(counter).ttl };
    return { isCounted: true, states: counters.map(({ limit, key }) => this.#of(limit).add(key)) };
  }

  takeBack(counters: readonly Counter[]): void {
    for (const { limit, key } of counters) this.#of(limit).takeBack(key);
  }

  read({ limit, key }: Counter): WindowState {
    return this.#of(limit).state(key);
  }

  #of(limit: Limit): WindowCounter {
    let windows = this.#windows.get(limit);
    if (!windows) {
      windows = new WindowCounter({ ...limit, clock: this.#clock });
      this.#windows.set(limit, windows);
    }
    return windows;
  }
}

class SharedCounters implements Counters {
  readonly #counters: StoredCounters;
  readonly #secret: Buffer;

  constructor(counters: StoredCounters, secret: Buffer) {
    this.#counters = counters;
    this.#secret = secret;
  }

  take(counters: readonly Counter[]): Promise<Taken> {
    return this.#counters.take(this.#toStored(counters));
  }

  takeBack(counters: readonly Counter[]): Promise<void> {
    return this.#counters.takeBack(this.#toStored(counters));
  }

  read(counter: Counter): Promise<WindowState> {
    return this.#counters.read(toStored(counter, this.#secret));
  }

  #toStored(counters: readonly Counter[]): StoredCounter[] {
    return counters.map((counter) => toStored(counter, this.#secret));
  }
}
