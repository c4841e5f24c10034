import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LinkOrder } from '../../../server/store/json-file/listing/link-order.ts';
import type { LinkPosition } from '../../../server/store/link.ts';

type Entry = LinkPosition & { number: number };

function toJson({ id, created }: LinkPosition): string {
  return JSON.stringify({ id, alias: 'x', accountId: 'a', originalUrl: 'u', created });
}

function inOrder(one: LinkPosition, other: LinkPosition): number {
  if (one.created !== other.created) return other.created - one.created;
  return one.id < other.id ? 1 : -1;
}

function numbersAfter(order: LinkOrder, after: LinkPosition | null): number[] {
  const numbers: number[] = [];
  const visit = (number: number) => numbers.push(number) > 0;
  const end = order.scan({ after, key: undefined, visit, mustPause: () => false });
  expect(end).toBeNull();
  return numbers;
}

/** Runs of links that are inserted at once, far more than a chunk has, in a direction. */
const run = fc.record({
  adds: fc.integer({ min: 0, max: 3 }).map((draw) => draw > 0),
  start: fc.integer({ min: -20, max: 20 }),
  stride: fc.constantFrom(-1, -0.001, 0, 0.001, 1),
  length: fc.integer({ min: 1, max: 700 }),
});

test('an order has its links in order after any number of additions and removals', () => {
  fc.assert(
    fc.property(fc.array(run, { minLength: 1, maxLength: 8 }), (runs) => {
      const texts: string[] = [];
      const order = new LinkOrder((number) => texts[number] ?? '');
      let expected: Entry[] = [];
      for (const { adds, start, stride, length } of runs) {
        if (adds) {
          for (let index = 0; index < length; index++) {
            // The ids of links of the same time are in no order.
            const id = `${(texts.length * 7919) % 10_007}-${texts.length}`;
            const entry = { id, created: start + stride * index, number: texts.length };
            texts.push(toJson(entry));
            order.add(entry.number, entry);
            expected.push(entry);
          }
        } else {
          const removed = expected.filter((_, index) => index % (Math.abs(start) + 1) === 0);
          for (const entry of removed) {
            order.remove(entry.number, entry);
            texts[entry.number] = '';
          }
          expected = expected.filter((entry) => !removed.includes(entry));
        }
      }
      const sorted = expected.toSorted(inOrder);
      expect(numbersAfter(order, null)).toEqual(sorted.map(({ number }) => number));
      for (let at = 0; at < sorted.length; at += 97) {
        const rest = sorted.slice(at + 1).map(({ number }) => number);
        expect(numbersAfter(order, sorted[at] ?? null)).toEqual(rest);
      }
    }),
    { numRuns: 40 },
  );
});

test('an order without links has none after any position', () => {
  const texts = [toJson({ id: 'a', created: 1 })];
  const order = new LinkOrder((number) => texts[number] ?? '');
  expect(numbersAfter(order, { id: 'b', created: 1 })).toEqual([]);
  order.add(0, { id: 'a', created: 1 });
  order.remove(0, { id: 'a', created: 1 });
  order.remove(0, { id: 'a', created: 1 });
  expect(numbersAfter(order, null)).toEqual([]);
});
