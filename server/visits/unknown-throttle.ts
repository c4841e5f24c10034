import type { Service } from '../dependencies.ts';
import { MINUTE_MS } from '../lib/durations.ts';
import { ServiceError } from '../lib/service-error.ts';
import { AddressLimit } from '../limits/address-limit.ts';
import type { ClientAddress } from '../limits/client-ip.ts';
import { UnnamedProxy } from '../limits/unnamed-proxy.ts';

/** How long a look-up waits for others of its client. */
const WAIT_MAX_MS = 2000;

/** The look-ups of a network or client. */
type LookUps = { pending: number; waiting: (() => void)[] };

/**
 * Keeps a client from guessing aliases. After `UNKNOWN_PER_MINUTE` unknown ones, known ones are
 * rejected too, because they would otherwise stand out.
 *
 * Source: docs/api.md, "Limits".
 */
export class UnknownThrottle {
  readonly proxy = new UnnamedProxy();
  /** Look-ups of unknown aliases, including pending ones. */
  readonly #limit: AddressLimit;
  readonly #lookUps = new Map<string, LookUps>();

  constructor({
    settings,
    monotonicClock: clock,
    events,
  }: Pick<Service, 'settings' | 'monotonicClock' | 'events'>) {
    const limit = { name: 'unknown', max: settings.unknownPerMinute, windowMs: MINUTE_MS };
    this.#limit = new AddressLimit(limit, { clock, events });
  }

  /** Whether the limit is reached, or would be if no pending look-up found its link. */
  isReached(address: ClientAddress): boolean {
    return this.#limit.isReached(address);
  }

  /**
   * Begins a look-up, which counts as unknown until it ends. If only pending ones make the limit full, it
   * waits for them: they will mostly find their links.
   *
   * @returns 0, or the milliseconds until the client may look up again; then there is nothing to end
   * @throws ServiceError `busy` if that takes too long
   */
  begin(address: ClientAddress): number | Promise<number> {
    const waitMs = this.#limit.take(address);
    if (waitMs > 0) return this.#wait(address);
    this.#of(address).pending++;
    return 0;
  }

  /** Ends a look-up. */
  end(address: ClientAddress, isUnknown: boolean): void {
    if (isUnknown) this.#limit.keep(address);
    else this.#limit.takeBack(address);
    this.#of(address).pending--;
    this.#next(address);
  }

  async #wait(address: ClientAddress): Promise<number> {
    const deadline = performance.now() + WAIT_MAX_MS;
    for (;;) {
      const waitMs = this.#limit.take(address);
      const lookUps = this.#of(address);
      if (waitMs === 0) {
        lookUps.pending++;
        return 0;
      }
      if (lookUps.pending === 0) {
        // Nobody else would wake the next one.
        this.#next(address);
        return waitMs;
      }
      await turnIn(lookUps.waiting, deadline - performance.now());
    }
  }

  #next(address: ClientAddress): void {
    const lookUps = this.#of(address);
    lookUps.waiting.shift()?.();
    const isIdle = lookUps.pending === 0 && lookUps.waiting.length === 0;
    if (isIdle) this.#lookUps.delete(keyOf(address));
  }

  #of(address: ClientAddress): LookUps {
    const key = keyOf(address);
    let lookUps = this.#lookUps.get(key);
    if (!lookUps) {
      lookUps = { pending: 0, waiting: [] };
      this.#lookUps.set(key, lookUps);
    }
    return lookUps;
  }
}

/** A network has a limit of its own, which the pending look-ups of all its clients count against. */
function keyOf({ client, network }: ClientAddress): string {
  return network ?? client;
}

/** @throws ServiceError `busy` if it takes too long */
async function turnIn(waiting: (() => void)[], timeoutMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    const index = waiting.indexOf(resolve);
    // Otherwise its turn has just come.
    if (index === -1) return;
    waiting.splice(index, 1);
    reject(tooBusy());
  }, timeoutMs);
  waiting.push(resolve);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}

function tooBusy(): ServiceError {
  return new ServiceError('busy', 'Too many links are being looked up. Try again shortly.', {
    retryAfterSeconds: 1,
  });
}
