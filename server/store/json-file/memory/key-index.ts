import { randomBytes } from 'node:crypto';
import { keyedHash } from '../../../core/keyed-hash.ts';

/** Shards grow one at a time, so that growing does not block the event loop for long. */
const SHARD_BITS = 6;
const FIRST_CAPACITY = 64;
const MAX_LOAD = 0.75;
/** Of shards without keys, with room for one, which the maximum load does not allow. */
const NO_SLOTS = new Uint32Array(2);

type Shard = {
  /** Pairs of a hash and a record's number plus one (0 for a free slot). */
  slots: Uint32Array;
  count: number;
};

/**
 * A hash table from keys to record numbers. It stores hashes instead of keys, 8 bytes per slot: a
 * `Map` of strings would take four times as much, and block for 100 ms when it grows past a million.
 * Because hashes can be equal, the caller checks which of the records has the key.
 */
export class KeyIndex {
  readonly #shards: Shard[] = Array.from({ length: 2 ** SHARD_BITS }, () => ({
    slots: NO_SLOTS,
    count: 0,
  }));
  /** Random, so that clients cannot choose keys that collide. */
  readonly #hashKey: [number, number];

  constructor() {
    const bytes = randomBytes(8);
    this.#hashKey = [bytes.readInt32LE(0), bytes.readInt32LE(4)];
  }

  get isEmpty(): boolean {
    return this.#shards.every(({ count }) => count === 0);
  }

  add(key: string, number: number): void {
    const hash = this.#hash(key);
    const shard = this.#shard(hash);
    if (shard.count + 1 > (MAX_LOAD * shard.slots.length) / 2) grow(shard);
    put(shard.slots, hash, number + 1);
    shard.count++;
  }

  /** Undoes one `add` of the same key and number. */
  remove(key: string, number: number): void {
    const hash = this.#hash(key);
    const shard = this.#shard(hash);
    if (removeEntry(shard.slots, hash, number + 1)) shard.count--;
  }

  /**
   * @param check called for each record whose key has the same hash; undefined if it has another key
   */
  find<T>(key: string, check: (number: number) => T | undefined): T | undefined {
    const hash = this.#hash(key);
    const { slots } = this.#shard(hash);
    const mask = slots.length / 2 - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[2 * slot + 1] ?? 0;
      if (entry === 0) return undefined;
      if (slots[2 * slot] !== hash) continue;
      const found = check(entry - 1);
      if (found !== undefined) return found;
    }
  }

  #shard(hash: number): Shard {
    return this.#shards[hash >>> (32 - SHARD_BITS)] as Shard;
  }

  #hash(key: string): number {
    return keyedHash(key, this.#hashKey[0], this.#hashKey[1]);
  }
}

function put(slots: Uint32Array, hash: number, entry: number): void {
  const mask = slots.length / 2 - 1;
  let slot = hash & mask;
  while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
  slots[2 * slot] = hash;
  slots[2 * slot + 1] = entry;
}

/** Moves up later entries that the free slot would make unreachable. */
function removeEntry(slots: Uint32Array, hash: number, entry: number): boolean {
  const mask = slots.length / 2 - 1;
  let hole = hash & mask;
  while (slots[2 * hole] !== hash || slots[2 * hole + 1] !== entry) {
    if (slots[2 * hole + 1] === 0) return false;
    hole = (hole + 1) & mask;
  }
  for (let slot = (hole + 1) & mask; slots[2 * slot + 1] !== 0; slot = (slot + 1) & mask) {
    const preferred = (slots[2 * slot] ?? 0) & mask;
    const isUnreachable = ((slot - preferred) & mask) >= ((slot - hole) & mask);
    if (!isUnreachable) continue;
    slots.copyWithin(2 * hole, 2 * slot, 2 * slot + 2);
    hole = slot;
  }
  slots.fill(0, 2 * hole, 2 * hole + 2);
  return true;
}

function grow(shard: Shard): void {
  const { slots } = shard;
  shard.slots = new Uint32Array(2 * Math.max(FIRST_CAPACITY, slots.length));
  for (let at = 0; at < slots.length; at += 2) {
    const entry = slots[at + 1] ?? 0;
    if (entry !== 0) put(shard.slots, slots[at] ?? 0, entry);
  }
}
