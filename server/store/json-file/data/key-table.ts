import { isDeepStrictEqual } from 'node:util';
import type { Link } from '../../link.ts';
import { changedLink, toLinkJson } from '../../records/link-json.ts';
import type { UsedKey } from '../../records.ts';
import { hasExpired } from '../../rules/used-keys.ts';

/** A retry may start before its key expires and read the link a little later. */
const KEY_GRACE_MS = 60_000;

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
    for (const [keyHash, key] of this.#keys) {
      if (left-- === 0 || !hasExpired(key, now - KEY_GRACE_MS)) return;
      this.#keys.delete(keyHash);
    }
  }

  /** Those that have not expired. */
  *records(now: number): Generator<['key', string, UsedKey]> {
    for (const [hash, key] of this.#keys) {
      if (!hasExpired(key, now)) yield ['key', hash, this.#toRecord(key)];
    }
  }

  #toRecord({ original, ...key }: UsedKey): UsedKey {
    const link = this.#findLink(key.linkId);
    // Nobody gets the link of a key whose link was purged, whatever the body.
    if (!link) return { ...key, bodyHash: '', tokenSalt: null, original: null };
    if (!original || original === link) return { ...key, original: null };
    // The link as created had no hits. They were counted until an edit replaced the object.
    const asCreated = changedLink(original, { hits: 0 });
    const now = changedLink(link, { hits: 0 });
    const isSame = isDeepStrictEqual(toLinkJson(asCreated), toLinkJson(now));
    return { ...key, original: isSame ? null : asCreated };
  }
}
