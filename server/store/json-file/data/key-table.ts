import { isDeepStrictEqual } from 'node:util';
import { changedLink, type Link, toLinkJson } from '../../link.ts';
import type { UsedKey } from '../../records.ts';
import { hasExpired, KEY_KEPT_MS, toSpent } from '../../rules/add-link.ts';

/** The idempotency keys that were used, by their hash. */
export class KeyTable {
  /** In the order in which they were used. */
  readonly #keys = new Map<string, UsedKey>();
  readonly #findLink: (id: string) => Link | undefined;

  constructor(findLink: (id: string) => Link | undefined) {
    this.#findLink = findLink;
  }

  get(keyHash: string): UsedKey | undefined {
    return this.#keys.get(keyHash);
  }

  /** The link as created is the object that it is now. An edit replaces the object. */
  set(keyHash: string, key: UsedKey | null): void {
    if (!key) this.#keys.delete(keyHash);
    else if (key.original) this.#keys.set(keyHash, key);
    else this.#keys.set(keyHash, { ...key, original: this.#findLink(key.linkId) ?? null });
  }

  /** Removes keys that nobody can ask for any more. @param max at most so many */
  deleteExpired(now: number, max: number): void {
    let left = max;
    for (const [keyHash, { created }] of this.#keys) {
      // It was used while the clock was ahead, and must not keep those after it.
      if (created > now) continue;
      if (left-- === 0 || now < created + KEY_KEPT_MS) return;
      this.#keys.delete(keyHash);
    }
  }

  /** Records of the keys that have not expired. */
  *records(now: number): Generator<['idempotencyKey', string, UsedKey]> {
    for (const [hash, key] of this.#keys) {
      if (!hasExpired(key, now)) yield ['idempotencyKey', hash, this.#toRecord(key)];
    }
  }

  #toRecord(key: UsedKey): UsedKey {
    const { original } = key;
    const link = this.#findLink(key.linkId);
    if (!link) return toSpent(key);
    if (!original || original === link) return { ...key, original: null };
    // The link as created had no hits. They were counted until an edit replaced the object.
    const asCreated = changedLink(original, { hits: 0 });
    const now = changedLink(link, { hits: 0 });
    const isSame = isDeepStrictEqual(toLinkJson(asCreated), toLinkJson(now));
    return { ...key, original: isSame ? null : asCreated };
  }
}
