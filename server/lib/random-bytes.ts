import { randomBytes } from 'node:crypto';

const POOL_BYTES = 4096;
const ID_BYTES = 12;

/** @returns cryptographically random bytes */
export type RandomBytes = (size: number) => Buffer;

/**
 * Works like `crypto.randomBytes`, with a buffer: creating a link needs a few small values, and each call to
 * `randomBytes` is expensive. No byte is returned twice.
 */
export function pooledRandomBytes(): RandomBytes {
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

/**
 * Creates the id of a link, an account or a token: 96 random bits, base64url. It doesn't begin with a hyphen: on a
 * command line, that would be an option.
 */
export function newId(randomBytes: RandomBytes): string {
  for (;;) {
    const id = randomBytes(ID_BYTES).toString('base64url');
    if (!id.startsWith('-')) return id;
  }
}
