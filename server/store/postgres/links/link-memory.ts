import { isDeepStrictEqual } from 'node:util';
import type { Link } from '../../link.ts';
import { linkBytes } from '../../link-size.ts';
import { aliasesOf } from '../../rules/aliases.ts';

/** Of an alias in a map. */
const KEY_BYTES = 100;

/** A link, and when its look-up began. */
export type Found = { link: Link; at: number; bytes: number };

/**
 * Links that were used lately, each once, by all its aliases. It takes about so many bytes at most: links come
 * into the young generation when they are used; when that has half of the bytes, it becomes the old one,
 * whose links are forgotten. So a look-up of a link that is used often is one of a map and changes nothing.
 */
export class LinkMemory {
  readonly #maxBytes: number;
  #young = new Generation();
  #old = new Generation();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Found | undefined {
    const young = this.#young.byKey.get(key);
    if (young) return young;
    const old = this.#old.byKey.get(key);
    if (!old) return undefined;
    this.#old.delete(old);
    this.#add(old);
    return old;
  }

  /** Keeps the object that is known already, if only hits were counted. */
  set(link: Link, at: number): void {
    const known = this.#young.byId.get(link.id) ?? this.#old.byId.get(link.id);
    // That of a look-up which began later but ended before.
    if (known && known.at > at) return;
    if (known && isSame(known.link, link)) {
      known.link.hits = link.hits;
      known.at = at;
      return;
    }
    if (known) this.#forget(known);
    // Of another link, which has lost it since.
    for (const key of aliasesOf(link)) this.delete(key);
    this.#add({ link, at, bytes: bytesOf(link) });
  }

  delete(key: string): void {
    const found = this.#young.byKey.get(key) ?? this.#old.byKey.get(key);
    if (found) this.#forget(found);
  }

  deleteOf(accountIds: ReadonlySet<string>): void {
    for (const { byId } of [this.#young, this.#old]) {
      for (const found of byId.values()) {
        if (accountIds.has(found.link.accountId)) this.#forget(found);
      }
    }
  }

  #forget(found: Found): void {
    this.#young.delete(found);
    this.#old.delete(found);
  }

  #add(found: Found): void {
    this.#young.add(found);
    if (this.#young.bytes < this.#maxBytes / 2) return;
    this.#old = this.#young;
    this.#young = new Generation();
  }
}

class Generation {
  readonly byKey = new Map<string, Found>();
  readonly byId = new Map<string, Found>();
  bytes = 0;

  add(found: Found): void {
    this.byId.set(found.link.id, found);
    for (const key of aliasesOf(found.link)) this.byKey.set(key, found);
    this.bytes += found.bytes;
  }

  delete(found: Found): void {
    if (this.byId.get(found.link.id) !== found) return;
    this.byId.delete(found.link.id);
    for (const key of aliasesOf(found.link)) this.byKey.delete(key);
    this.bytes -= found.bytes;
  }
}

function isSame(known: Link, link: Link): boolean {
  return isDeepStrictEqual({ ...known, hits: 0 }, { ...link, hits: 0 });
}

function bytesOf(link: Link): number {
  return linkBytes(link) + KEY_BYTES * aliasesOf(link).length;
}
