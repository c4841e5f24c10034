import type { Time } from '../../shared/time.ts';
import { waitForTurn } from '../lib/places.ts';
import { busy } from '../lib/service-error.ts';
import type { ClientAddress } from '../limits/client-address.ts';
import { addressKey } from '../limits/limit-counter.ts';
import type { MemoryCounter } from '../limits/memory-counter.ts';

/** How long a look-up waits for others of its client. */
const WAIT_MAX_MS = 2000;

/** The look-ups of a network or client. */
type LookUps = { pending: number; waiting: (() => void)[] };

/**
 * Keeps a client from guessing aliases. After `UNKNOWN_PER_MINUTE` unknown ones, known ones are
 * rejected too, because they would otherwise stand out.
 *
 * Source: docs/settings.md, "Limits".
 */
export class UnknownThrottle {
  /** Counts look-ups of unknown aliases, including pending ones. */
  readonly #limit: MemoryCounter;
  readonly #time: Time;
  readonly #lookUps = new Map<string, LookUps>();

  constructor(limit: MemoryCounter, time: Time) {
    this.#limit = limit;
    this.#time = time;
  }

  /** Whether nothing counts against an address: no pending look-up, and no limit that is reached. */
  isIdle(address: ClientAddress): boolean {
    if (this.#lookUps.size > 0 && this.#lookUps.has(keyOf(address))) return false;
    return !this.#limit.hasFull || !this.#limit.isReached(addressKey(address));
  }

  /**
   * Begins a look-up, which counts as unknown until it ends. If only pending ones make the limit full, it
   * waits for them: they will mostly find their links.
   *
   * @returns 0, or the seconds until the client may look up again; then there is nothing to end
   * @throws ServiceError `busy` if that takes too long
   */
  async begin(address: ClientAddress): Promise<number> {
    const { monotonic } = this.#time;
    const deadline = monotonic() + WAIT_MAX_MS;
    for (;;) {
      const lookUps = this.#of(address);
      lookUps.pending++;
      const waitMs = this.#limit.reserve(addressKey(address));
      if (waitMs === 0) return 0;
      lookUps.pending--;
      if (lookUps.pending === 0) {
        // Nobody else would wake the next one.
        this.#next(address);
        return Math.ceil(waitMs / 1000);
      }
      if (!(await waitForTurn(lookUps.waiting, deadline - monotonic(), this.#time))) {
        throw busy('Too many links are being looked up. Try again shortly.');
      }
    }
  }

  /** Ends a look-up. */
  end(address: ClientAddress, isUnknown: boolean): void {
    const key = addressKey(address);
    if (isUnknown) this.#limit.keep(key);
    else this.#limit.takeBack(key);
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
