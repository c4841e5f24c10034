import { describe, expect, test } from 'vitest';
import { WindowCounter } from '../../../../server/http/window-counter.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 10, 20, 12);
const MAX_WINDOWS = 200_000;

function startCounter() {
  const clock = { now: START };
  return { clock, counter: new WindowCounter(MINUTE_MS, () => clock.now) };
}

describe('a window', () => {
  test('starts with the first event, and says how many it holds and how long it lasts', () => {
    const { clock, counter } = startCounter();
    expect(counter.add('a')).toEqual({ current: 1, ttl: MINUTE_MS });
    clock.now += 1000;
    expect(counter.add('a')).toEqual({ current: 2, ttl: MINUTE_MS - 1000 });
  });

  test('ends a full length after its first event, not after its last', () => {
    const { clock, counter } = startCounter();
    counter.add('a');
    clock.now += MINUTE_MS - 1;
    expect(counter.add('a')).toEqual({ current: 2, ttl: 1 });
    clock.now += 1;
    expect(counter.state('a')).toEqual({ current: 0, ttl: 0 });
    expect(counter.add('a')).toEqual({ current: 1, ttl: MINUTE_MS });
  });

  test("is each client's own", () => {
    const { clock, counter } = startCounter();
    counter.add('a');
    clock.now += 1000;
    expect(counter.add('b')).toEqual({ current: 1, ttl: MINUTE_MS });
    expect(counter.state('a')).toEqual({ current: 1, ttl: MINUTE_MS - 1000 });
  });

  test('is looked at without being opened or counted', () => {
    const { clock, counter } = startCounter();
    expect(counter.state('a')).toEqual({ current: 0, ttl: 0 });
    clock.now += 1000;
    expect(counter.add('a')).toEqual({ current: 1, ttl: MINUTE_MS });
    expect(counter.state('a')).toEqual({ current: 1, ttl: MINUTE_MS });
    expect(counter.state('a')).toEqual({ current: 1, ttl: MINUTE_MS });
  });
});

describe('an event taken back', () => {
  test('leaves its place to another, in the same window', () => {
    const { clock, counter } = startCounter();
    counter.add('a');
    counter.add('a');
    clock.now += 1000;
    counter.takeBack('a');
    expect(counter.state('a')).toEqual({ current: 1, ttl: MINUTE_MS - 1000 });
  });

  test('never makes room beyond an empty window', () => {
    const { counter } = startCounter();
    counter.takeBack('a');
    counter.add('a');
    counter.takeBack('a');
    counter.takeBack('a');
    expect(counter.add('a').current).toBe(1);
  });

  test('of a window that has ended takes nothing from the next', () => {
    const { clock, counter } = startCounter();
    counter.add('a');
    clock.now += MINUTE_MS;
    counter.takeBack('a');
    expect(counter.add('a').current).toBe(1);
  });
});

describe('memory', () => {
  test('is bounded: beyond it the oldest window goes, and only that', () => {
    const { counter } = startCounter();
    for (let client = 0; client < MAX_WINDOWS; client++) counter.add(`client ${client}`);
    expect(counter.state('client 0').current).toBe(1);
    counter.add('one too many');
    expect(counter.state('client 0').current).toBe(0);
    expect(counter.state('client 1').current).toBe(1);
    expect(counter.state('one too many').current).toBe(1);
  });

  test('counts a window that was opened anew as a young one', () => {
    const { clock, counter } = startCounter();
    counter.add('back again');
    clock.now += MINUTE_MS;
    counter.add('older');
    counter.add('back again');
    for (let client = 2; client < MAX_WINDOWS; client++) counter.add(`client ${client}`);
    counter.add('one too many');
    expect(counter.state('older').current).toBe(0);
    expect(counter.state('back again').current).toBe(1);
  });
});

describe('as a store of @fastify/rate-limit', () => {
  test('it counts and reads through callbacks, and shares its windows with its children', () => {
    const { counter } = startCounter();
    const answers: unknown[] = [];
    const keep = (...answer: unknown[]) => answers.push(answer);
    counter.incr('a', keep);
    counter.child().incr('a', keep);
    counter.read('a', keep);
    expect(answers).toEqual([
      [null, { current: 1, ttl: MINUTE_MS }],
      [null, { current: 2, ttl: MINUTE_MS }],
      [null, { current: 2, ttl: MINUTE_MS }],
    ]);
  });
});
