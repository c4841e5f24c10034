import type { ClientAddress } from './client-ip.ts';
import { addressCounters, type Counter, type Limit, networkLimit } from './counters.ts';
import type { EventExchange } from './event-exchange.ts';
import { WindowCounter } from './window-counter.ts';

type Options = {
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Tells other servers that use the same data. Undefined: there are none. */
  events: EventExchange | undefined;
};

/**
 * A limit per client address for what must not wait: it counts in memory. Other servers learn of an event
 * that is kept within a second, so that a client that asks several servers at once can exceed the limit a
 * little.
 */
export class AddressLimit {
  readonly #clients: WindowCounter;
  readonly #networks: WindowCounter;
  readonly #countersOf: (address: ClientAddress) => Counter[];
  readonly #events: EventExchange | undefined;

  constructor(limit: Limit, { clock, events }: Options) {
    this.#clients = new WindowCounter({ ...limit, clock });
    this.#networks = new WindowCounter({ ...networkLimit(limit), clock });
    this.#countersOf = addressCounters(limit);
    this.#events = events;
  }

  /**
   * Counts an event unless the limit is reached. Afterwards call `keep` or `takeBack`.
   *
   * @returns 0, or the milliseconds until the next event is allowed
   */
  take(address: ClientAddress): number {
    const { client, network } = address;
    if (this.isReached(address)) return this.#waitMs(address);
    this.#clients.add(client);
    if (network !== undefined) this.#networks.add(network);
    return 0;
  }

  /** Uncounts an event. */
  takeBack({ client, network }: ClientAddress): void {
    this.#clients.takeBack(client);
    if (network !== undefined) this.#networks.takeBack(network);
  }

  /** An event stays counted: other servers should know. */
  keep(address: ClientAddress): void {
    this.#events?.add(this.#countersOf(address));
  }

  /** Whether the limit is reached. Counts nothing. */
  isReached(address: ClientAddress): boolean {
    return this.#isReachedHere(address) || this.#waitElsewhereMs(address) > 0;
  }

  #isReachedHere({ client, network }: ClientAddress): boolean {
    return (
      this.#clients.isFull(client) || (network !== undefined && this.#networks.isFull(network))
    );
  }

  #waitMs(address: ClientAddress): number {
    const { client, network = '' } = address;
    const clientMs = this.#clients.isFull(client) ? this.#clients.state(client).ttl : 0;
    const networkMs = this.#networks.isFull(network) ? this.#networks.state(network).ttl : 0;
    return Math.max(clientMs, networkMs, this.#waitElsewhereMs(address));
  }

  #waitElsewhereMs(address: ClientAddress): number {
    return this.#events?.hasFull ? this.#events.waitMs(this.#countersOf(address)) : 0;
  }
}
