import { newKeyedHash } from '../../../core/keyed-hash.ts';

/** What one call reserves. */
export type Taken = {
  alias?: string | undefined;
  /** The account whose quota is used. */
  accountId?: string | undefined;
  /** Hash of the idempotency key. */
  keyHash?: string | undefined;
  /** The id of a link that is being edited, or of an account whose tokens change or that is deleted. */
  lockId?: string;
};

/** Hashes of what a call takes. Until it is released, others wait for that. */
export class Reservation {
  alias: number | undefined;
  key: number | undefined;
  lock: number | undefined;
  account: number | undefined;
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
  readonly #links = new Map<number, { count: number; last: Reservation }>();
  readonly #hash = newKeyedHash();

  take({ alias, accountId, keyHash, lockId }: Taken): Reservation {
    const reservation = new Reservation();
    if (alias !== undefined) {
      reservation.alias = this.#hash(alias.toLowerCase());
      this.#aliases.set(reservation.alias, reservation);
    }
    if (keyHash !== undefined) {
      reservation.key = this.#hash(keyHash);
      this.#keys.set(reservation.key, reservation);
    }
    if (lockId !== undefined) {
      reservation.lock = this.#hash(lockId);
      this.#locks.set(reservation.lock, reservation);
    }
    if (accountId !== undefined) {
      reservation.account = this.#hash(accountId);
      const links = this.#links.get(reservation.account);
      if (links) {
        links.count++;
        links.last = reservation;
      } else {
        this.#links.set(reservation.account, { count: 1, last: reservation });
      }
    }
    return reservation;
  }

  release(reservation: Reservation): void {
    const { alias, key, lock, account } = reservation;
    if (alias !== undefined) this.#aliases.delete(alias);
    if (key !== undefined) this.#keys.delete(key);
    if (lock !== undefined) this.#locks.delete(lock);
    if (account !== undefined) {
      const links = this.#links.get(account);
      if (links && --links.count === 0) this.#links.delete(account);
    }
    reservation.settle();
  }

  /** Pending links of the account, regardless of their month, which rarely changes in between. */
  links(accountId: string): number {
    return this.#links.get(this.#hash(accountId))?.count ?? 0;
  }

  /** Resolves once the links counted by `links` are decided; undefined where there are none. */
  linksDecided(accountId: string): Promise<void> | undefined {
    return this.#links.get(this.#hash(accountId))?.last.released;
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
