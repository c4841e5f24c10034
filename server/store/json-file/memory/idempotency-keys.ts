import type { Idempotency } from '../../link.ts';
import { hasExpired } from '../files/line-record.ts';

/** The link is undefined if it was erased before the snapshot was written. */
type StoredKey = Omit<Idempotency, 'keyHash'> & { link: number | undefined; created: number };

/** Idempotency keys by their hash, in chronological order. */
export class IdempotencyKeys {
  readonly #keys = new Map<string, StoredKey>();

  /** @param link its number */
  add({ keyHash, bodyHash, tokenSalt }: Idempotency, link: number, created: number): void {
    this.#set(keyHash, { bodyHash, tokenSalt, link, created });
  }

  addSpent(keyHash: string, created: number): void {
    this.#set(keyHash, { bodyHash: '', tokenSalt: null, link: undefined, created });
  }

  find(keyHash: string, now: number): StoredKey | undefined {
    const key = this.#keys.get(keyHash);
    return key && !hasExpired(key.created, now) ? key : undefined;
  }

  /** @param max maximum number at once, so that the event loop is not blocked */
  deleteExpired(now: number, max: number): void {
    let left = max;
    for (const [keyHash, { created }] of this.#keys) {
      if (left-- === 0 || !hasExpired(created, now)) return;
      this.#keys.delete(keyHash);
    }
  }

  #set(keyHash: string, key: StoredKey): void {
    // Deleted first, to keep the map in chronological order.
    this.#keys.delete(keyHash);
    this.#keys.set(keyHash, key);
  }
}
