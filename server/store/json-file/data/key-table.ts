import { isDeepStrictEqual } from 'node:util';
import { changedLink, type Link, toLinkJson } from '../../link.ts';
import type { UsedKey } from '../../records.ts';
import { KEY_KEPT_MS, toSpent } from '../../rules/add-link.ts';

/** The idempotency keys that were used, by their hash. */
export class KeyTable {
  /** In the order in which they were used last. */
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
    this.#keys.delete(keyHash);
    if (!key) return;
    const original = key.original ?? this.#findLink(key.linkId);
    this.#keys.set(keyHash, original ? { ...key, original } : key);
  }

  /**
   * Removes keys that nobody can ask for any more, at most `max`.
   *
   * @param certain see `certainTime`
   * @returns whether there may be more
   */
  deleteExpired(now: number, certain: number, max: number): boolean {
    let left = max;
    for (const [keyHash, { created }] of this.#keys) {
      // It was used while the clock was ahead, and must not keep those after it.
      if (created > now) continue;
      if (certain < created + KEY_KEPT_MS) return false;
      if (left-- === 0) return true;
      this.#keys.delete(keyHash);
    }
    return false;
  }

  /** Records of the keys that are kept. @param certain see `certainTime` */
  *records(certain: number): Generator<['idempotencyKey', string, UsedKey]> {
    for (const [hash, key] of this.#keys) {
      if (certain < key.created + KEY_KEPT_MS) yield ['idempotencyKey', hash, this.#toRecord(key)];
    }
  }

  #toRecord(key: UsedKey): UsedKey {
    const { original, ...unchanged } = key;
    const link = this.#findLink(key.linkId);
    if (!link) return toSpent(key);
    if (!original || original === link) return unchanged;
    // The link as created had no hits. They were counted until an edit replaced the object.
    const asCreated = changedLink(original, { hits: 0 });
    const now = changedLink(link, { hits: 0 });
    const isSame = isDeepStrictEqual(toLinkJson(asCreated), toLinkJson(now));
    return isSame ? unchanged : { ...key, original: asCreated };
  }
}
