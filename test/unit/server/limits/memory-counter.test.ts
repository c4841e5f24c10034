import { FifoMap } from 'toad-cache';
import { describe, expect, test, vi } from 'vitest';
import { MemoryCounter, type OnState } from '../../../../server/limits/limit-counter.ts';
import type { WindowState } from '../../../../server/store/counters.ts';

const MINUTE_MS = 60_000;
const MAX_WINDOWS = 1000;

/** The state of a key's window, given to the callback before the method returns. */
function stateOf(call: (done: OnState) => void): WindowState {
  let given: WindowState | undefined;
  call((_error, state) => {
    given = state;
  });
  if (!given) throw new Error('the store answers at once');
  return given;
}

/** A store whose keys have one part. */
function startStore(max = 10) {
  const clock = { now: 5000 };
  const store = new MemoryCounter(
    { name: 'test', max, windowMs: MINUTE_MS },
    () => clock.now,
    MAX_WINDOWS,
  );
  const add = (key: string) => stateOf((done) => store.incr(`1*${key}`, done));
  const read = (key: string) => stateOf((done) => store.read(`1*${key}`, done));
  const takeBack = (key: string) => store.takeBack(`1*${key}`);
  /** Counts an event unless the limit is reached. @returns 0, or the remaining time of the full window */
  const take = (key: string) => {
    const { current, ttl } = add(key);
    return current > max ? ttl : 0;
  };
  return { clock, store, add, read, takeBack, take };
}

describe('a window', () => {
  test('starts with the first event and returns its count and remaining time', () => {
    const { clock, add } = startStore();
    expect(add('a')).toEqual({ current: 1, ttl: MINUTE_MS });
    clock.now += 1000;
    expect(add('a')).toEqual({ current: 2, ttl: MINUTE_MS - 1000 });
  });

  test('ends a fixed time after its first event, not after its last', () => {
    const { clock, add, read } = startStore();
    add('a');
    clock.now += MINUTE_MS - 1;
    expect(add('a')).toEqual({ current: 2, ttl: 1 });
    clock.now += 1;
    expect(read('a')).toEqual({ current: 0, ttl: 0 });
    expect(add('a')).toEqual({ current: 1, ttl: MINUTE_MS });
  });

  test('can be read without starting or counting', () => {
    const { clock, add, read } = startStore();
    expect(read('a')).toEqual({ current: 0, ttl: 0 });
    clock.now += 1000;
    expect(add('a')).toEqual({ current: 1, ttl: MINUTE_MS });
    expect(read('a')).toEqual({ current: 1, ttl: MINUTE_MS });
    expect(read('a')).toEqual({ current: 1, ttl: MINUTE_MS });
  });
});

describe('an event that is taken back', () => {
  test('makes room for another one in the same window', () => {
    const { clock, add, read, takeBack } = startStore();
    add('a');
    add('a');
    clock.now += 1000;
    takeBack('a');
    expect(read('a')).toEqual({ current: 1, ttl: MINUTE_MS - 1000 });
  });

  test('never makes more room than an empty window has', () => {
    const { add, takeBack } = startStore();
    takeBack('a');
    add('a');
    takeBack('a');
    takeBack('a');
    expect(add('a').current).toBe(1);
  });

  test('after the end of its window does not affect the next one', () => {
    const { clock, add, takeBack } = startStore();
    add('a');
    clock.now += MINUTE_MS;
    takeBack('a');
    expect(add('a').current).toBe(1);
  });
});

describe('a window with a limit', () => {
  test('counts events up to the limit, then returns the remaining time', () => {
    const { clock, read, takeBack, take } = startStore(2);
    expect([take('a'), take('a')]).toEqual([0, 0]);
    clock.now += 1000;
    expect([take('a'), take('a')]).toEqual([MINUTE_MS - 1000, MINUTE_MS - 1000]);
    expect(read('a').current).toBe(2);
    takeBack('a');
    expect([take('a'), take('a')]).toEqual([0, MINUTE_MS - 1000]);
    clock.now += MINUTE_MS - 1000;
    expect(take('a')).toBe(0);
  });
});

describe('a key of several parts', () => {
  const KEY = '10*network 1*client';
  const OTHER = '10*network 1*other';

  test('counts for all of them, each with its own limit, and answers with the last one', () => {
    const { clock, store } = startStore(2);
    const add = (key: string) => stateOf((done) => store.incr(key, done));
    const read = (key: string) => stateOf((done) => store.read(key, done));
    expect(add(KEY)).toEqual({ current: 1, ttl: MINUTE_MS });
    clock.now += 1000;
    expect(add(OTHER)).toEqual({ current: 1, ttl: MINUTE_MS });
    expect(read(KEY)).toEqual({ current: 1, ttl: MINUTE_MS - 1000 });
    expect(read('10*network')).toEqual({ current: 2, ttl: MINUTE_MS - 1000 });
    store.takeBack(OTHER);
    expect(read('10*network').current).toBe(1);
    expect(read(OTHER).current).toBe(0);
  });

  test('counts for none if the limit of one is reached, and answers with the longest wait', () => {
    const { clock, store } = startStore(2);
    const add = (key: string) => stateOf((done) => store.incr(key, done));
    for (let client = 0; client < 19; client++) add(`10*network 1*client-${client}`);
    clock.now += 1000;
    expect([add('1*client'), add('1*client')].map(({ current }) => current)).toEqual([1, 2]);
    expect(store.hasFull).toBe(true);
    expect([store.isReached(KEY), store.isReached(OTHER)]).toEqual([true, false]);
    expect(add(KEY)).toEqual({ current: 3, ttl: MINUTE_MS });
    expect(add(OTHER)).toEqual({ current: 1, ttl: MINUTE_MS });
    expect(add('10*network 1*third')).toEqual({ current: 3, ttl: MINUTE_MS - 1000 });
    expect(stateOf((done) => store.read('10*network 1*third', done))).toEqual({
      current: 2,
      ttl: MINUTE_MS - 1000,
    });
    clock.now += MINUTE_MS;
    expect([store.isReached(KEY), store.isReached(OTHER)]).toEqual([false, false]);
    expect(store.hasFull).toBe(false);
  });
});

describe('a flood of new clients', () => {
  const FLOOD = 5 * MAX_WINDOWS;

  test('does not end full windows', () => {
    const { read, take } = startStore(2);
    take('full');
    take('full');
    for (let client = 0; client < FLOOD; client++) take(`client-${client}`);
    expect(take('full')).toBe(MINUTE_MS);
    expect(read('full').current).toBe(2);
  });

  test('uses bounded memory', () => {
    const { read, take } = startStore();
    for (let client = 0; client < FLOOD; client++) take(`client-${client}`);
    let total = 0;
    for (let client = 0; client < FLOOD; client++) {
      total += read(`client-${client}`).current;
    }
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThanOrEqual(MAX_WINDOWS);
  });

  test('takes as many steps per client at its end as at its start', () => {
    const CLIENTS = 100;
    const stepsOf = (add: (key: string) => unknown) => {
      const steps = (['get', 'set', 'delete', 'evict'] as const).map((name) =>
        vi.spyOn(FifoMap.prototype, name),
      );
      for (let client = 0; client < CLIENTS; client++) add(`measured-${client}`);
      const count = steps.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      vi.restoreAllMocks();
      return count;
    };
    const atStart = stepsOf(startStore().add);
    const { add } = startStore();
    for (let client = 0; client < FLOOD; client++) add(`client-${client}`);
    expect(atStart).toBeGreaterThan(CLIENTS);
    // Each one ends an older one.
    expect(stepsOf(add)).toBeLessThanOrEqual(atStart + CLIENTS);
  });
});

describe('an amount', () => {
  test('counts as a whole, for all parts of a key, until the limit is reached', () => {
    const { clock, store } = startStore();
    expect(store.count('2*wide 1*a', 6)).toBe(0);
    // The last one may exceed the limit.
    expect(store.count('2*wide 1*a', 6)).toBe(0);
    expect(store.count('2*wide 1*a', 1)).toBe(MINUTE_MS);
    expect(store.count('2*wide 1*b', 9)).toBe(0);
    clock.now += 1000;
    expect(store.count('2*wide 1*c', 1)).toBe(MINUTE_MS - 1000);
    expect(store.count('1*c', 1)).toBe(0);
    clock.now += MINUTE_MS;
    expect(store.count('2*wide 1*a', 1)).toBe(0);
  });
});
