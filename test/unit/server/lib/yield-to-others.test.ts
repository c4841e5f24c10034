import { expect, test } from 'vitest';
import { createTurns } from '../../../../server/lib/yield-to-others.ts';

test('one waiting task continues in each turn of the event loop', async () => {
  const nextTurn = createTurns();
  const events: string[] = [];
  const isDone = Promise.all(
    ['a', 'b', 'c'].map((name) => nextTurn().then(() => events.push(name))),
  );
  setImmediate(function onTurn() {
    events.push('|');
    if (events.length < 6) setImmediate(onTurn);
  });
  await isDone;
  expect(events.join('').replace(/^\|/, '')).toBe('a|b|c');
});
