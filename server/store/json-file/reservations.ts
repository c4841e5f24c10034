/** What one call takes; what is undefined, it does not touch. */
export type Reservation = {
  alias?: string | undefined;
  /** Whose quota has a place less. */
  accountId?: string;
  /** Of the idempotency key. */
  keyHash?: string | undefined;
  /** Of the link that is edited. */
  linkId?: string;
};

/**
 * What calls under way have taken, but the disk does not hold yet. Whoever wants the same waits
 * until that is decided, and looks again: an answer never rests on what a failure takes back.
 */
export class Reservations {
  readonly #aliases = new Map<string, Promise<void>>();
  readonly #keys = new Map<string, Promise<void>>();
  readonly #edits = new Map<string, Promise<void>>();
  readonly #links = new Map<string, { count: number; last: Promise<void> }>();

  /** @param done settles when the call's change is on disk, or is not going to be */
  take({ alias, accountId, keyHash, linkId }: Reservation, done: Promise<void>): void {
    const decided = done.catch(() => undefined);
    if (alias !== undefined) this.#aliases.set(alias.toLowerCase(), decided);
    if (keyHash !== undefined) this.#keys.set(keyHash, decided);
    if (linkId !== undefined) this.#edits.set(linkId, decided);
    if (accountId !== undefined) {
      this.#links.set(accountId, { count: this.links(accountId) + 1, last: decided });
    }
  }

  release({ alias, accountId, keyHash, linkId }: Reservation): void {
    if (alias !== undefined) this.#aliases.delete(alias.toLowerCase());
    if (keyHash !== undefined) this.#keys.delete(keyHash);
    if (linkId !== undefined) this.#edits.delete(linkId);
    if (accountId === undefined) return;
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

  /** The same of a link that is edited. */
  editDecided(linkId: string): Promise<void> | undefined {
    return this.#edits.get(linkId);
  }
}
