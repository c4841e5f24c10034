import { dayNumber } from '../lib/durations.ts';
import { keyedHash } from '../lib/keyed-hash.ts';

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
    if (day > this.#day) this.#begin(day);
    return keyedHash(client, this.#salt0 ^ userAgentHash, this.#salt1);
  }

  #begin(day: number): void {
    const bytes = this.#randomBytes(8);
    this.#salt0 = bytes.readInt32LE(0);
    this.#salt1 = bytes.readInt32LE(4);
    this.#day = day;
  }
}
