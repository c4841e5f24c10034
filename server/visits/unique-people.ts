import { dayNumber } from '../lib/durations.ts';
import { keyedHash } from '../lib/keyed-hash.ts';

/** 4 MiB: at three million people and links a day, about one in fifty is not counted. */
const FILTER_BITS = 2 ** 25;
/** Each entry has its bits in one block, the size of a cache line, because memory is slow. */
const WORDS_IN_BLOCK = 16;
const BLOCK_SHIFT = 32 - 16;
const PROBES = 4;

/**
 * Tells whether somebody visits a link for the first time on a day (UTC). It is one Bloom filter for all
 * links: nobody can be read from it, and its size does not depend on the number of visits. Its key is
 * random, exists in memory only, and is replaced with the filter at midnight UTC.
 */
export class UniquePeople {
  readonly #randomBytes: (size: number) => Buffer;
  #words: Uint32Array | undefined;
  #salt0 = 0;
  #salt1 = 0;
  #day = Number.NEGATIVE_INFINITY;

  constructor(randomBytes: (size: number) => Buffer) {
    this.#randomBytes = randomBytes;
  }

  /**
   * @param linkHash 32 random bits that stand for the link
   * @param client the client's address
   * @param userAgentHash the same of its user agent
   * @returns whether it is the first visit; sometimes falsely not
   */
  isFirst(linkHash: number, client: string, userAgentHash: number, time: number): boolean {
    const day = dayNumber(time);
    if (day > this.#day || this.#words === undefined) this.#begin(day);
    const words = this.#words as Uint32Array;
    const hash = keyedHash(client, this.#salt0 ^ userAgentHash, this.#salt1) ^ linkHash;
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
    const bytes = this.#randomBytes(8);
    this.#salt0 = bytes.readInt32LE(0);
    this.#salt1 = bytes.readInt32LE(4);
    this.#day = day;
    this.#words ??= new Uint32Array(FILTER_BITS / 32);
    this.#words.fill(0);
  }
}
