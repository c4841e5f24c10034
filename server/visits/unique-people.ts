import { dayNumber } from '../lib/durations.ts';
import { DailyHash } from './daily-hash.ts';

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
    if (day > this.#day || this.#words === undefined) this.#begin(day);
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
