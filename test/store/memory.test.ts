import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Column } from '../../server/store/json-file/memory/column.ts';
import { KeyIndex } from '../../server/store/json-file/memory/key-index.ts';
import { LinkTable } from '../../server/store/json-file/memory/link-table.ts';
import { RecordArena } from '../../server/store/json-file/memory/record-arena.ts';
import { type LinkJson, toLinkJson } from '../../server/store/records/link-json.ts';
import { NOW, newLink } from './contract.ts';

const MEBIBYTE = 1024 * 1024;

function linkJson(alias: string, changes: Partial<LinkJson> = {}): LinkJson {
  return { ...toLinkJson({ ...newLink(alias).link, alias }), ...changes };
}

describe('a column', () => {
  test('returns the last value that was set, or 0', () => {
    const set = fc.record({
      record: fc.nat(100_000),
      part: fc.nat(2),
      value: fc.integer({ min: 0, max: 0xffffffff }),
    });
    fc.assert(
      fc.property(fc.array(set), (sets) => {
        const column = new Column(Uint32Array, 3);
        const expected = new Map<number, number>();
        for (const { record, part, value } of sets) {
          column.set(record, part, value);
          expected.set(3 * record + part, value);
        }
        for (const { record } of sets) {
          for (const near of [record - 1, record, record + 1].filter((one) => one >= 0)) {
            for (const part of [0, 1, 2]) {
              expect(column.get(near, part)).toBe(expected.get(3 * near + part) ?? 0);
            }
          }
        }
      }),
    );
  });

  test('counts past 32 bits with 64-bit floats', () => {
    const column = new Column(Float64Array);
    column.set(16_384, 0, 2 ** 40);
    expect([16_383, 16_384, 16_385].map((record) => column.get(record))).toEqual([0, 2 ** 40, 0]);
  });
});

describe('a key index', () => {
  test('finds exactly the keys that were added and not removed', () => {
    const step = fc.record({ adds: fc.boolean(), key: fc.nat(400).map((key) => `key-${key}`) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 3000, size: 'max' }), (steps) => {
        const index = new KeyIndex();
        const keys: string[] = [];
        const known = new Map<string, number>();
        for (const { adds, key } of steps) {
          const number = known.get(key);
          if (number !== undefined) {
            index.remove(key, number);
            known.delete(key);
          } else if (adds) {
            known.set(key, keys.length);
            index.add(key, keys.length);
            keys.push(key);
          }
        }
        for (let key = 0; key <= 400; key++) {
          const name = `key-${key}`;
          const check = (number: number) => (keys[number] === name ? number : undefined);
          expect(index.find(name, check)).toBe(known.get(name));
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('a record arena', () => {
  test('reads each record as it was last written, after many writes and releases', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    const step = fc.record({ number: fc.nat(40), text });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
        const arena = new RecordArena();
        const texts: string[] = [];
        for (const { number, text } of steps) {
          const json = JSON.stringify({ text });
          if (number >= texts.length) {
            texts[arena.add(json)] = text;
          } else {
            arena.release(arena.placeOf(number));
            arena.rewrite(number, json);
            texts[number] = text;
          }
        }
        for (const [number, text] of texts.entries()) {
          expect(arena.read(number)).toEqual({ text });
          expect(arena.lengthOf(number)).toBe(Buffer.byteLength(JSON.stringify({ text })));
        }
      }),
    );
  });
});

describe('a link table', () => {
  test('uses no more memory after a hundred edits per link than after a few', () => {
    const table = new LinkTable();
    const links = Array.from({ length: 2000 }, (_, number) => linkJson(`link-${number}`));
    for (const link of links) table.add(link, JSON.stringify(link));
    const editAll = (round: number) => {
      for (const [number, link] of links.entries()) {
        const alias = `${round % 2 ? 'other' : 'link'}-${number}`;
        const edited = { ...link, alias, title: 'x'.repeat((round * 37 + number) % 500) };
        table.edit(number, edited, JSON.stringify(edited), true);
      }
      return process.memoryUsage().arrayBuffers;
    };
    let [before, after] = [0, 0];
    for (let round = 0; round < 120; round++) {
      if (round < 20) before = editAll(round);
      else after = editAll(round);
    }
    // The texts of these hundred rounds have about 80 MiB in total.
    expect(after - before).toBeLessThan(MEBIBYTE);
    expect(table.find('other-7')?.number).toBe(7);
    expect(table.find('link-7')).toBeUndefined();
    expect(table.readOriginal(7)).toMatchObject({ alias: 'link-7', title: '' });
  });

  test('keeps a link as it was created until that expires, then frees the memory', () => {
    const table = new LinkTable();
    const [old, young] = [linkJson('old'), linkJson('young', { created: NOW + 1 })];
    for (const link of [old, young]) {
      const number = table.add(link, JSON.stringify(link));
      const edited = { ...link, title: 'edited' };
      table.edit(number, edited, JSON.stringify(edited), true);
    }
    table.deleteOriginals((created) => created === NOW, 10);
    expect(table.readOriginal(0).title).toBe('edited');
    expect(table.readOriginal(1).title).toBe('');
  });
});
