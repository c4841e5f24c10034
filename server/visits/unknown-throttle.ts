import { busy } from '../lib/service-error.ts';
import type { ClientAddress } from '../limits/client-ip.ts';
import { addressKey } from '../limits/limit-key.ts';
import type { Limit } from '../limits/limits.ts';

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
  /** Counts look-ups of unknown aliases, including pending ones. */
  readonly #limit: Limit;
  readonly #lookUps = new Map<string, LookUps>();

  constructor(limit: Limit) {
    this.#limit = limit;
  }

  /**
   * Begins a look-up, which counts as unknown until it ends. If only pending ones make the limit full, it
   * waits for them: they will mostly find their links.
   *
   * @returns 0, or the seconds until the client may look up again; then there is nothing to end
   * @throws ServiceError `busy` if that takes too long
   */
  async begin(address: ClientAddress): Promise<number> {
    const deadline = performance.now() + WAIT_MAX_MS;
    for (;;) {
      const lookUps = this.#of(address);
      lookUps.pending++;
      const { isExceeded, ttlInSeconds } = await this.#limit.take(addressKey(address));
      if (!isExceeded) return 0;
      lookUps.pending--;
      if (lookUps.pending === 0) {
        // Nobody else would wake the next one.
        this.#next(address);
        return ttlInSeconds;
      }
      await turnIn(lookUps.waiting, deadline - performance.now());
    }
  }

  /** Ends a look-up. */
  async end(address: ClientAddress, isUnknown: boolean): Promise<void> {
    const key = addressKey(address);
    if (isUnknown) this.#limit.keep(key);
    else await this.#limit.takeBack(key);
    this.#of(address).pending--;
    this.#next(address);
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
function keyOf({ client, networks: [widest] }: ClientAddress): string {
  return widest ?? client;
}

/** @throws ServiceError `busy` if it takes too long */
async function turnIn(waiting: (() => void)[], timeoutMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    const index = waiting.indexOf(resolve);
    // Otherwise its turn has just come.
    if (index === -1) return;
    waiting.splice(index, 1);
    reject(busy('Too many links are being looked up. Try again shortly.'));
  }, timeoutMs);
  waiting.push(resolve);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}
