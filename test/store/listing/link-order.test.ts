import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LinkOrder } from '../../../server/store/json-file/data/account-entry.ts';
import { changedLink, fromLinkJson, type Link } from '../../../server/store/link.ts';
import type { LinkPosition } from '../../../server/store/link-calls.ts';
import { newLink } from '../contract.ts';

function linkOf(id: string, created: number): Link {
  return fromLinkJson(id, { ...newLink('').link, alias: 'x', created });
}

function inOrder(one: LinkPosition, other: LinkPosition): number {
  if (one.created !== other.created) return other.created - one.created;
  return one.id < other.id ? 1 : -1;
}

function idsAfter(order: LinkOrder, after: LinkPosition | null): string[] {
  return [...order.newestFirst(after)].map(({ id }) => id);
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
      const order = new LinkOrder();
      let count = 0;
      let expected: Link[] = [];
      for (const { adds, start, stride, length } of runs) {
        if (adds) {
          for (let index = 0; index < length; index++) {
            // The ids of links of the same time are in no order.
            const id = `${(count * 7919) % 10_007}-${count++}`;
            const link = linkOf(id, start + stride * index);
            order.add(link);
            expected.push(link);
          }
        } else {
          const removed = expected.filter((_, index) => index % (Math.abs(start) + 1) === 0);
          for (const link of removed) order.remove(link);
          expected = expected.filter((link) => !removed.includes(link));
        }
      }
      const sorted = expected.toSorted(inOrder);
      expect(idsAfter(order, null)).toEqual(sorted.map(({ id }) => id));
      expect(order.count).toBe(sorted.length);
      for (let at = 0; at < sorted.length; at += 97) {
        const rest = sorted.slice(at + 1).map(({ id }) => id);
        expect(idsAfter(order, sorted[at] ?? null)).toEqual(rest);
      }
    }),
    { numRuns: 40 },
  );
});

test('an order without links has none after any position', () => {
  const order = new LinkOrder();
  expect(idsAfter(order, { id: 'b', created: 1 })).toEqual([]);
  order.add(linkOf('a', 1));
  order.remove({ id: 'a', created: 1 });
  order.remove({ id: 'a', created: 1 });
  expect(idsAfter(order, null)).toEqual([]);
});

test('an order has the link that replaces another one', () => {
  const order = new LinkOrder();
  for (const id of ['a', 'b', 'c']) order.add(linkOf(id, 1));
  order.replace(changedLink(linkOf('b', 1), { title: 'new' }));
  expect([...order.newestFirst(null)].map(({ title }) => title)).toEqual(['', 'new', '']);
});
