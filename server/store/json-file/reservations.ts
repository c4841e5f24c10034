/** What one call takes; what is undefined, it does not touch. */
export type Taken = {
  alias?: string | undefined;
  /** Whose quota has a place less. */
  accountId?: string;
  /** Of the idempotency key. */
  keyHash?: string | undefined;
  /** Of the link that is edited. */
  linkId?: string;
};

/** Until it is released, others wait for what it takes. */
export class Reservation {
  readonly taken: Taken;
  #released: PromiseWithResolvers<void> | undefined;

  constructor(taken: Taken) {
    this.taken = taken;
  }

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
 * What calls under way have taken, but the disk does not hold yet. Whoever wants the same waits
 * until that is decided, and looks again: an answer never rests on what a failure takes back.
 */
export class Reservations {
  readonly #aliases = new Map<string, Reservation>();
  readonly #keys = new Map<string, Reservation>();
  readonly #edits = new Map<string, Reservation>();
  readonly #links = new Map<string, { count: number; last: Reservation }>();

  take(taken: Taken): Reservation {
    const { alias, accountId, keyHash, linkId } = taken;
    const reservation = new Reservation(taken);
    if (alias !== undefined) this.#aliases.set(alias.toLowerCase(), reservation);
    if (keyHash !== undefined) this.#keys.set(keyHash, reservation);
    if (linkId !== undefined) this.#edits.set(linkId, reservation);
    if (accountId !== undefined) {
      const links = this.#links.get(accountId);
      if (links) {
        links.count++;
        links.last = reservation;
      } else {
        this.#links.set(accountId, { count: 1, last: reservation });
      }
    }
    return reservation;
  }

  release(reservation: Reservation): void {
    const { alias, accountId, keyHash, linkId } = reservation.taken;
    if (alias !== undefined) this.#aliases.delete(alias.toLowerCase());
    if (keyHash !== undefined) this.#keys.delete(keyHash);
    if (linkId !== undefined) this.#edits.delete(linkId);
    if (accountId !== undefined) {
      const links = this.#links.get(accountId);
      if (links && --links.count === 0) this.#links.delete(accountId);
    }
    reservation.settle();
  }

  /** Links of the account, whatever their month: it turns once in so many calls. */
  links(accountId: string): number {
    return this.#links.get(accountId)?.count ?? 0;
  }

  /** Resolves once the links counted by `links` are decided; undefined where there are none. */
  linksDecided(accountId: string): Promise<void> | undefined {
    return this.#links.get(accountId)?.last.released;
  }

  /** Resolves once the call that has taken the alias is decided; undefined where there is none. */
  aliasDecided(alias: string): Promise<void> | undefined {
    return this.#aliases.get(alias.toLowerCase())?.released;
  }

  /** The same of an idempotency key. */
  keyDecided(keyHash: string): Promise<void> | undefined {
    return this.#keys.get(keyHash)?.released;
  }

  /** The same of a link that is edited. */
  editDecided(linkId: string): Promise<void> | undefined {
    return this.#edits.get(linkId)?.released;
  }
}
