import { newKeyedHash } from '../../../core/keyed-hash.ts';

/** What one call reserves. */
export type Taken = {
  aliases?: readonly string[];
  /** Whose quota is used, and how much of it. */
  quota?: { of: string; cost: number };
  /** Hash of the idempotency key. */
  keyHash?: string | undefined;
  /** The id of a link that is being edited, or of an account whose tokens change or that is deleted. */
  lockId?: string;
};

/** Hashes of what a call takes. Until it is released, others wait for that. */
export class Reservation {
  aliases: number[] = [];
  key: number | undefined;
  lock: number | undefined;
  quota: { of: number; cost: number } | undefined;
  #released: PromiseWithResolvers<void> | undefined;

  /** Resolves once the call's change is on disk, or is not going to be. Made only if somebody waits. */
  get released(): Promise<void> {
    this.#released ??= Promise.withResolvers();
    return this.#released.promise;
  }

  settle(): void {
    this.#released?.resolve();
  }
}

/**
 * Reservations of pending calls, whose changes are not on disk yet. A call that needs the same alias,
 * quota, key or link waits until the other call has settled and then checks again, so that results never
 * depend on changes that may still fail.
 *
 * Maps have hashes for keys: a `Map` adds each new string to a table of V8's own first, which takes
 * longer than all the rest. Where two hashes are alike, a call waits in vain, and looks again.
 */
export class Reservations {
  readonly #aliases = new Map<number, Reservation>();
  readonly #keys = new Map<number, Reservation>();
  readonly #locks = new Map<number, Reservation>();
  readonly #costs = new Map<number, { cost: number; last: Reservation }>();
  readonly #hash = newKeyedHash();

  take({ aliases = [], quota, keyHash, lockId }: Taken): Reservation {
    const reservation = new Reservation();
    for (const alias of aliases) {
      const hash = this.#hash(alias.toLowerCase());
      reservation.aliases.push(hash);
      this.#aliases.set(hash, reservation);
    }
    if (keyHash !== undefined) {
      reservation.key = this.#hash(keyHash);
      this.#keys.set(reservation.key, reservation);
    }
    if (lockId !== undefined) {
      reservation.lock = this.#hash(lockId);
      this.#locks.set(reservation.lock, reservation);
    }
    if (quota !== undefined && quota.cost > 0) {
      const { cost } = quota;
      const of = this.#hash(quota.of);
      reservation.quota = { of, cost };
      const pending = this.#costs.get(of);
      if (pending) {
        pending.cost += cost;
        pending.last = reservation;
      } else {
        this.#costs.set(of, { cost, last: reservation });
      }
    }
    return reservation;
  }

  release(reservation: Reservation): void {
    const { aliases, key, lock, quota } = reservation;
    for (const alias of aliases) this.#aliases.delete(alias);
    if (key !== undefined) this.#keys.delete(key);
    if (lock !== undefined) this.#locks.delete(lock);
    const pending = quota && this.#costs.get(quota.of);
    if (pending) {
      pending.cost -= quota.cost;
      if (pending.cost === 0) this.#costs.delete(quota.of);
    }
    reservation.settle();
  }

  /** What pending calls use of a quota, regardless of the month, which rarely changes in between. */
  pendingCost(of: string): number {
    return this.#costs.get(this.#hash(of))?.cost ?? 0;
  }

  /** Resolves once the calls that `pendingCost` counts are decided. */
  costDecided(of: string): Promise<void> {
    return this.#costs.get(this.#hash(of))?.last.released ?? Promise.resolve();
  }

  /** Resolves when the call that reserved the alias has settled; undefined if there is none. */
  aliasDecided(alias: string): Promise<void> | undefined {
    return this.#aliases.get(this.#hash(alias.toLowerCase()))?.released;
  }

  /** The same for an idempotency key. */
  keyDecided(keyHash: string): Promise<void> | undefined {
    return this.#keys.get(this.#hash(keyHash))?.released;
  }

  /** The same for a link that is being edited, or an account that is being changed. */
  lockDecided(id: string): Promise<void> | undefined {
    if (this.#locks.size === 0) return undefined;
    return this.#locks.get(this.#hash(id))?.released;
  }
}
