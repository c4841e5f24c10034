import { randomBytes } from 'node:crypto';

const POOL_BYTES = 4096;

/**
 * `crypto.randomBytes`, drawn a page at a time: a link takes three of some bytes each, and every
 * draw has its price. No byte is given out twice.
 */
export function pooledRandomBytes(): (size: number) => Buffer {
  let pool = Buffer.of();
  let used = 0;
  return (size) => {
    if (size > POOL_BYTES) return randomBytes(size);
    if (used + size > pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
}
