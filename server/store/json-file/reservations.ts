/** What one call takes. */
export type Reservation = {
  alias: string;
  accountId: string;
  /** Of the idempotency key, if there is one. */
  keyHash: string | undefined;
};

/**
 * What calls under way have taken, but the disk does not hold yet. Whoever wants the same waits
 * until that is decided, and looks again: an answer never rests on what a failure takes back.
 */
export class Reservations {
  readonly #aliases = new Map<string, Promise<void>>();
  readonly #keys = new Map<string, Promise<void>>();
  readonly #links = new Map<string, { count: number; last: Promise<void> }>();

  /** @param done settles when the call's change is on disk, or is not going to be */
  take({ alias, accountId, keyHash }: Reservation, done: Promise<void>): void {
    const decided = done.catch(() => undefined);
    this.#aliases.set(alias.toLowerCase(), decided);
    if (keyHash !== undefined) this.#keys.set(keyHash, decided);
    this.#links.set(accountId, { count: this.links(accountId) + 1, last: decided });
  }

  release({ alias, accountId, keyHash }: Reservation): void {
    this.#aliases.delete(alias.toLowerCase());
    if (keyHash !== undefined) this.#keys.delete(keyHash);
    const left = this.#links.get(accountId);
    if (left && --left.count === 0) this.#links.delete(accountId);
  }

  /** Links of the account, whatever their month: it turns once in so many calls. */
  links(accountId: string): number {
    return this.#links.get(accountId)?.count ?? 0;
  }

  /** Resolves once the links counted by `links` are decided. */
  linksDecided(accountId: string): Promise<void> | undefined {
    return this.#links.get(accountId)?.last;
  }

  /** Resolves once the call that has taken the alias is decided; undefined where there is none. */
  aliasDecided(alias: string): Promise<void> | undefined {
    return this.#aliases.get(alias.toLowerCase());
  }

  /** The same of an idempotency key. */
  keyDecided(keyHash: string): Promise<void> | undefined {
    return this.#keys.get(keyHash);
  }
}
