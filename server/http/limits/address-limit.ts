import type { ClientAddress } from './client-ip.ts';
import { WindowCounter, type WindowOptions } from './window-counter.ts';

/** A /56 has 256 networks of size /64, which often belong to one household. */
const NETWORK_FACTOR = 10;

/**
 * A limit per client address. For IPv6 it applies to the /64 and, with a tenfold limit, to the /56.
 *
 * @see docs/api.md, "Limits"
 */
export class AddressLimit {
  readonly #clients: WindowCounter;
  readonly #networks: WindowCounter;

  /** @param options `max` applies to one client */
  constructor(options: WindowOptions) {
    this.#clients = new WindowCounter(options);
    this.#networks = new WindowCounter({ ...options, max: options.max * NETWORK_FACTOR });
  }

  /**
   * Counts an event unless the limit is reached.
   *
   * @param scope has its own limit, such as a link
   * @returns 0, or the milliseconds until the next event is allowed
   */
  take({ client, network }: ClientAddress, scope = ''): number {
    if (network !== undefined) {
      const wait = this.#networks.take(scope + network);
      if (wait > 0) return wait;
    }
    const wait = this.#clients.take(scope + client);
    if (wait > 0 && network !== undefined) this.#networks.takeBack(scope + network);
    return wait;
  }

  /** Whether the limit is reached. Counts nothing. */
  isReached({ client, network }: ClientAddress): boolean {
    return (
      this.#clients.isFull(client) || (network !== undefined && this.#networks.isFull(network))
    );
  }

  takeBack({ client, network }: ClientAddress, scope = ''): void {
    this.#clients.takeBack(scope + client);
    if (network !== undefined) this.#networks.takeBack(scope + network);
  }
}
