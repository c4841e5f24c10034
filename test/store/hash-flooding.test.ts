import { describe, expect, test, vi } from 'vitest';
import { keyedHash } from '../../server/core/keyed-hash.ts';
import { KeyIndex } from '../../server/store/json-file/memory/key-index.ts';
import { LinkTable } from '../../server/store/json-file/memory/link-table.ts';
import { toLinkJson } from '../../server/store/records/link-json.ts';
import { newLink } from './contract.ts';
import { collidingFamilies, FAMILIES, seededFnv } from './support/colliding-keys.ts';

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

describe('keys chosen to collide under a seeded FNV-1a', () => {
  const families = collidingFamilies(6);

  test('collide there for every seed', () => {
    for (const seed of [0, 0x1234567, 0x89abcdef, 0xffffffff]) {
      const family = families[seed % FAMILIES] ?? [];
      expect(family.length).toBe(64);
      expect(new Set(family).size).toBe(64);
      expect(new Set(family.map((key) => seededFnv(key, seed))).size).toBe(1);
    }
  });

  test('need no more comparisons than other keys', () => {
    const keys = families.flat();
    const index = new KeyIndex();
    for (const [number, key] of keys.entries()) index.add(key, number);
    let comparisons = 0;
    for (const [number, key] of keys.entries()) {
      const found = index.find(key, (candidate) => {
        comparisons++;
        return keys[candidate] === key ? candidate : undefined;
      });
      expect(found).toBe(number);
    }
    // One each, with room for a rare 32-bit collision. Colliding keys would need 2,000 more.
    expect(comparisons - keys.length).toBeLessThan(10);
  });
});

test('a lookup parses only the link that it finds', () => {
  const table = new LinkTable();
  const links = 60_000;
  for (let number = 0; number < links; number++) {
    const alias = `Link-${number}`;
    const link = toLinkJson({ ...newLink(alias).link, alias });
    table.add(link, JSON.stringify(link));
  }
  const parse = vi.spyOn(JSON, 'parse');
  try {
    // With so many pairs of alias and link, about 14 have the same 32-bit hash.
    for (let number = 0; number < 1_000_000; number++) {
      if (table.find(`none-${number}`)) expect.unreachable();
    }
    expect(table.has('link-7')).toBe(true);
    expect(table.has('link-')).toBe(false);
    expect(parse).not.toHaveBeenCalled();
    expect(table.find('LINK-7')?.link.alias).toBe('Link-7');
    expect(parse).toHaveBeenCalledTimes(1);
  } finally {
    parse.mockRestore();
  }
});
