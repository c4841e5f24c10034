import { newKeyedHash } from './keyed-hash.ts';

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

/** Hashes of what a call takes. Until it is released, others wait for that. */
export class Reservation {
  alias: number | undefined;
  key: number | undefined;
  edit: number | undefined;
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
 * What calls under way have taken, but the disk does not hold yet. Whoever wants the same waits
 * until that is decided, and looks again: an answer never rests on what a failure takes back.
 *
 * Maps have hashes for keys: a `Map` adds each new string to a table of V8's own first, which takes
 * longer than all the rest. Where two hashes are alike, a call waits in vain, and looks again.
 */
export class Reservations {
  readonly #aliases = new Map<number, Reservation>();
  readonly #keys = new Map<number, Reservation>();
  readonly #edits = new Map<number, Reservation>();
  readonly #links = new Map<number, { count: number; last: Reservation }>();
  readonly #hash = newKeyedHash();

  take({ alias, accountId, keyHash, linkId }: Taken): Reservation {
    const reservation = new Reservation();
    if (alias !== undefined) {
      reservation.alias = this.#hash(alias.toLowerCase());
      this.#aliases.set(reservation.alias, reservation);
    }
    if (keyHash !== undefined) {
      reservation.key = this.#hash(keyHash);
      this.#keys.set(reservation.key, reservation);
    }
    if (linkId !== undefined) {
      reservation.edit = this.#hash(linkId);
      this.#edits.set(reservation.edit, reservation);
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
    const { alias, key, edit, account } = reservation;
    if (alias !== undefined) this.#aliases.delete(alias);
    if (key !== undefined) this.#keys.delete(key);
    if (edit !== undefined) this.#edits.delete(edit);
    if (account !== undefined) {
      const links = this.#links.get(account);
      if (links && --links.count === 0) this.#links.delete(account);
    }
    reservation.settle();
  }

  /** Links of the account, whatever their month: it turns once in so many calls. */
  links(accountId: string): number {
    return this.#links.get(this.#hash(accountId))?.count ?? 0;
  }

  /** Resolves once the links counted by `links` are decided; undefined where there are none. */
  linksDecided(accountId: string): Promise<void> | undefined {
    return this.#links.get(this.#hash(accountId))?.last.released;
  }

  /** Resolves once the call that has taken the alias is decided; undefined where there is none. */
  aliasDecided(alias: string): Promise<void> | undefined {
    return this.#aliases.get(this.#hash(alias.toLowerCase()))?.released;
  }

  /** The same of an idempotency key. */
  keyDecided(keyHash: string): Promise<void> | undefined {
    return this.#keys.get(this.#hash(keyHash))?.released;
  }

  /** The same of a link that is edited. */
  editDecided(linkId: string): Promise<void> | undefined {
    return this.#edits.get(this.#hash(linkId))?.released;
  }
}
