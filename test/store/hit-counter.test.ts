import { expect, test } from 'vitest';
import { HitCounter } from '../../server/store/json-file/changes/hit-counter.ts';

/** A counter that writes into a list, or fails. */
function newCounter() {
  const lines: string[] = [];
  const errors: unknown[] = [];
  const state = { fails: false, erased: -1 };
  const counter = new HitCounter(
    async (members) => {
      if (state.fails) throw new Error('no space');
      lines.push(members);
    },
    (number) => number === state.erased,
    (error) => errors.push(error),
  );
  return { counter, lines, errors, state };
}

test('hits of a link are added up to one entry', async () => {
  const { counter, lines } = newCounter();
  for (let hit = 0; hit < 3; hit++) counter.count(7, 'seven');
  counter.count(20_000, 'far');
  counter.count(7, 'seven', 2);
  await counter.close();
  expect(lines).toEqual(['"hits":[["seven",5],["far",1]]']);
});

test('hits that were taken are not written, and later ones are written once', async () => {
  const { counter, lines } = newCounter();
  counter.count(7, 'seven');
  counter.count(8, 'eight');
  expect(counter.take(7)).toBe(1);
  expect(counter.take(7)).toBe(0);
  expect(counter.take(8)).toBe(1);
  counter.count(7, 'seven');
  await counter.close();
  expect(lines).toEqual(['"hits":[["seven",1]]']);
});

test('an erased link has no hits, and nothing is written if there are no others', async () => {
  const { counter, lines, state } = newCounter();
  counter.count(7, 'seven');
  state.erased = 7;
  await counter.close();
  expect(lines).toEqual([]);
});

test('hits that could not be written are written later, together with new ones', async () => {
  const { counter, lines, errors, state } = newCounter();
  state.fails = true;
  counter.count(7, 'seven');
  await expect.poll(() => errors).toHaveLength(1);
  counter.count(7, 'seven');
  state.fails = false;
  await counter.close();
  expect(lines).toEqual(['"hits":[["seven",2]]']);
});
