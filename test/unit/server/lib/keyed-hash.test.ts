import { describe, expect, test } from 'vitest';
import { keyedHash } from '../../../../server/lib/keyed-hash.ts';

describe('the keyed hash', () => {
  test.each([
    [0, 0x5814c896],
    [2, 0xbc4b0e30],
    [4, 0x7e059ea6],
    [6, 0xa0080b65],
  ])('of %i bytes is that of HalfSipHash-1-3', (bytes, hash) => {
    const text = Buffer.from(Array.from({ length: bytes }, (_, byte) => byte)).toString('utf16le');
    expect(keyedHash(text, 0x03020100, 0x07060504)).toBe(hash);
  });

  test('depends on both halves of the key and on the last character of odd lengths', () => {
    const hashes = ['', 'a', 'aa', 'aaa', 'a\0', 'A', 'ā', 'b'].flatMap((text) =>
      [
        [1, 2],
        [2, 1],
        [1, 3],
      ].map(([key0 = 0, key1 = 0]) => keyedHash(text, key0, key1)),
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
