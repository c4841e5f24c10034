import { randomBytes } from 'node:crypto';
import { dayNumber } from '../lib/time.ts';

/**
 * Returns HalfSipHash-1-3 of a string's UTF-16 code units (little-endian): 32 bits that are unpredictable without
 * the key. Statistics hash clients and user agents with it, and `share` of a rule chooses a side by it: nobody may
 * choose texts with equal hashes, nor find out the client of a hash. HalfSipHash has 32-bit words, like
 * JavaScript's integer operations.
 *
 * @see J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF". Linux uses the 32-bit
 * variant with 1 and 3 rounds for its hash tables (`hsiphash`).
 *
 * @param key0 the first 32 bits of the key
 * @param key1 the other 32 bits
 */
export function keyedHash(text: string, key0: number, key1: number): number {
  let v0 = key0;
  let v1 = key1;
  let v2 = key0 ^ 0x6c796765;
  let v3 = key1 ^ 0x74656462;
  const { length } = text;
  // The words of the text, then one with the remaining code unit and the length, then three rounds.
  const lastWord = length >> 1;
  for (let word = 0; word <= lastWord + 3; word++) {
    let input = 0;
    if (word < lastWord) {
      input = text.charCodeAt(2 * word) | (text.charCodeAt(2 * word + 1) << 16);
    } else if (word === lastWord) {
      input = (length << 25) | (length & 1 ? text.charCodeAt(length - 1) : 0);
    } else if (word === lastWord + 1) {
      v2 ^= 0xff;
    }
    v3 ^= input;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= input;
  }
  return (v1 ^ v3) >>> 0;
}

/** Creates a hash with a key of its own, which nobody outside of this process knows. @returns 32 bits, signed */
export function newKeyedHash(): (text: string) => number {
  const bytes = randomBytes(8);
  const [key0, key1] = [bytes.readInt32LE(0), bytes.readInt32LE(4)];
  return (text) => keyedHash(text, key0, key1) | 0;
}

/**
 * Stands for a visitor on a day (UTC). The key is random, exists in memory only, and is replaced at midnight
 * UTC, so nothing can be traced back to anybody, and nothing has to be stored.
 */
export class DailyHash {
  readonly #randomBytes: (size: number) => Buffer;
  #salt0 = 0;
  #salt1 = 0;
  #day = Number.NEGATIVE_INFINITY;

  constructor(randomBytes: (size: number) => Buffer) {
    this.#randomBytes = randomBytes;
  }

  /**
   * @param client the client's address
   * @param userAgentHash 32 random bits that stand for its user agent
   * @returns 32 bits, unsigned
   */
  of(client: string, userAgentHash: number, time: number): number {
    const day = dayNumber(time);
    if (isNewDay(day, this.#day)) this.#begin(day);
    return keyedHash(client, this.#salt0 ^ userAgentHash, this.#salt1);
  }

  #begin(day: number): void {
    const bytes = this.#randomBytes(8);
    this.#salt0 = bytes.readInt32LE(0);
    this.#salt1 = bytes.readInt32LE(4);
    this.#day = day;
  }
}

/** A clock may be set back a little at midnight, or by years after it was ahead. */
function isNewDay(day: number, last: number): boolean {
  return day > last || day < last - 1;
}

/** 4 MiB: at three million people and links a day, about one in fifty is not counted. */
const FILTER_BITS = 2 ** 25;
/** Each entry has its bits in one block, the size of a cache line, because memory is slow. */
const WORDS_IN_BLOCK = 16;
const BLOCK_SHIFT = 32 - 16;
const PROBES = 4;

/**
 * Tells whether somebody visits a link for the first time on a day (UTC). It is one Bloom filter for all
 * links: nobody can be read from it, and its size does not depend on the number of visits. It is emptied at
 * midnight UTC, when its key is replaced.
 */
export class UniquePeople {
  readonly #visitors: DailyHash;
  #words: Uint32Array | undefined;
  #day = Number.NEGATIVE_INFINITY;

  constructor(randomBytes: (size: number) => Buffer) {
    this.#visitors = new DailyHash(randomBytes);
  }

  /**
   * @param linkHash 32 random bits that stand for the link
   * @param client the client's address
   * @param userAgentHash the same of its user agent
   * @returns whether it is the first visit; sometimes falsely not
   */
  isFirst(linkHash: number, client: string, userAgentHash: number, time: number): boolean {
    const day = dayNumber(time);
    if (isNewDay(day, this.#day) || this.#words === undefined) this.#begin(day);
    const words = this.#words as Uint32Array;
    const hash = this.#visitors.of(client, userAgentHash, time) ^ linkHash;
    const block = (hash >>> BLOCK_SHIFT) * WORDS_IN_BLOCK;
    let bits = hash;
    let isFirst = false;
    for (let probe = 0; probe < PROBES; probe++) {
      // Multiplying spreads the bits of the hash over those of each probe.
      bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d) + probe;
      const word = block + ((bits >>> 5) & (WORDS_IN_BLOCK - 1));
      const mask = 1 << (bits & 31);
      const before = words[word] as number;
      if ((before & mask) === 0) {
        words[word] = before | mask;
        isFirst = true;
      }
    }
    return isFirst;
  }

  #begin(day: number): void {
    this.#day = day;
    this.#words ??= new Uint32Array(FILTER_BITS / 32);
    this.#words.fill(0);
  }
}
