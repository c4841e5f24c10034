import { randomBytes } from 'node:crypto';

/**
 * HalfSipHash-1-3 of a string's UTF-16 code units (little-endian): 32 bits that are unpredictable
 * without the key. Statistics hash clients and user agents with it, and `share` of a rule chooses a side by it:
 * nobody may choose texts with equal hashes, nor find out the client of a hash. HalfSipHash has 32-bit words,
 * like JavaScript's integer operations.
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

/** A hash with a key of its own, which nobody outside of this process knows. @returns 32 bits, signed */
export function newKeyedHash(): (text: string) => number {
  const bytes = randomBytes(8);
  const [key0, key1] = [bytes.readInt32LE(0), bytes.readInt32LE(4)];
  return (text) => keyedHash(text, key0, key1) | 0;
}
