import type { ClientAddress } from './client-ip.ts';
import { WindowCounter, type WindowOptions } from './window-counter.ts';

/** A /56 holds 256 clients of a /64 each, often all of them one household's. */
const NETWORK_FACTOR = 10;

/**
 * A limit per client address. Of IPv6 it counts the /64 and, ten times as wide, the /56.
 * Source: contract, "Limits".
 */
export class AddressLimit {
  readonly #clients: WindowCounter;
  readonly #networks: WindowCounter;

  /** @param options `max` is for one client */
  constructor(options: WindowOptions) {
    this.#clients = new WindowCounter(options);
    this.#networks = new WindowCounter({ ...options, max: options.max * NETWORK_FACTOR });
  }

  /**
   * Counts an event unless the limit is reached.
   *
   * @param scope what is limited separately, such as a link
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

  /** Whether an event would be refused. Counts nothing. */
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
