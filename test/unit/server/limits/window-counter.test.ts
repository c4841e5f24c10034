import { describe, expect, test } from 'vitest';
import {
  MAX_WINDOWS_PER_GENERATION,
  WindowCounter,
} from '../../../../server/limits/window-counter.ts';

const MINUTE_MS = 60_000;

/** Counts an event unless the limit is reached. @returns 0, or the remaining time of the full window */
function take(counter: WindowCounter, key: string): number {
  if (counter.isFull(key)) return counter.state(key).ttl;
  counter.add(key);
  return 0;
}

function startCounter(max = 10) {
  const clock = { now: 5000 };
  const counter = new WindowCounter({ windowMs: MINUTE_MS, max, clock: () => clock.now });
  return { clock, counter };
}

describe('a window', () => {
  test('starts with the first event and returns its count and remaining time', () => {
    const { clock, counter } = startCounter();
    expect(counter.add('a')).toEqual({ current: 1, ttl: MINUTE_MS });
    clock.now += 1000;
    expect(counter.add('a')).toEqual({ current: 2, ttl: MINUTE_MS - 1000 });
  });

  test('ends a fixed time after its first event, not after its last', () => {
    const { clock, counter } = startCounter();
    counter.add('a');
    clock.now += MINUTE_MS - 1;
    expect(counter.add('a')).toEqual({ current: 2, ttl: 1 });
    clock.now += 1;
    expect(counter.state('a')).toEqual({ current: 0, ttl: 0 });
    expect(counter.add('a')).toEqual({ current: 1, ttl: MINUTE_MS });
  });

  test('is separate for each key', () => {
    const { clock, counter } = startCounter();
    counter.add('a');
    clock.now += 1000;
    expect(counter.add('b')).toEqual({ current: 1, ttl: MINUTE_MS });
    expect(counter.state('a')).toEqual({ current: 1, ttl: MINUTE_MS - 1000 });
  });

  test('can be read without starting or counting', () => {
    const { clock, counter } = startCounter();
    expect(counter.state('a')).toEqual({ current: 0, ttl: 0 });
    clock.now += 1000;
    expect(counter.add('a')).toEqual({ current: 1, ttl: MINUTE_MS });
    expect(counter.state('a')).toEqual({ current: 1, ttl: MINUTE_MS });
    expect(counter.state('a')).toEqual({ current: 1, ttl: MINUTE_MS });
  });
});

describe('an event that is taken back', () => {
  test('makes room for another one in the same window', () => {
    const { clock, counter } = startCounter();
    counter.add('a');
    counter.add('a');
    clock.now += 1000;
    counter.takeBack('a');
    expect(counter.state('a')).toEqual({ current: 1, ttl: MINUTE_MS - 1000 });
  });

  test('never makes more room than an empty window has', () => {
    const { counter } = startCounter();
    counter.takeBack('a');
    counter.add('a');
    counter.takeBack('a');
    counter.takeBack('a');
    expect(counter.add('a').current).toBe(1);
  });

  test('after the end of its window does not affect the next one', () => {
    const { clock, counter } = startCounter();
    counter.add('a');
    clock.now += MINUTE_MS;
    counter.takeBack('a');
    expect(counter.add('a').current).toBe(1);
  });
});

describe('a window with a limit', () => {
  test('counts events up to the limit, then returns the remaining time', () => {
    const { clock, counter } = startCounter(2);
    expect([take(counter, 'a'), take(counter, 'a')]).toEqual([0, 0]);
    clock.now += 1000;
    expect([take(counter, 'a'), take(counter, 'a')]).toEqual([MINUTE_MS - 1000, MINUTE_MS - 1000]);
    expect(counter.state('a').current).toBe(2);
    counter.takeBack('a');
    expect([take(counter, 'a'), take(counter, 'a')]).toEqual([0, MINUTE_MS - 1000]);
    clock.now += MINUTE_MS - 1000;
    expect(take(counter, 'a')).toBe(0);
  });

  test('has its full length regardless of when it starts', () => {
    for (const max of [2, 3]) {
      for (let start = 0; start <= 2 * MINUTE_MS; start += MINUTE_MS / 4) {
        const { clock, counter } = startCounter(max);
        clock.now += start;
        expect([take(counter, 'a'), take(counter, 'a')]).toEqual([0, 0]);
        for (let later = 0; later < 4; later++) {
          expect(counter.state('a').current, `${start} and ${later}`).toBe(2);
          clock.now += MINUTE_MS / 4;
          take(counter, 'somebody else');
        }
        expect(counter.state('a').current).toBe(0);
      }
    }
  });
});

describe('a flood of new clients', () => {
  const FLOOD = 10 * MAX_WINDOWS_PER_GENERATION;

  test('does not end full windows', () => {
    const { counter } = startCounter(2);
    take(counter, 'full');
    take(counter, 'full');
    for (let client = 0; client < FLOOD; client++) take(counter, `client ${client}`);
    expect(take(counter, 'full')).toBe(MINUTE_MS);
    expect(counter.state('full').current).toBe(2);
  });

  test('uses bounded memory', () => {
    const { counter } = startCounter();
    for (let client = 0; client < FLOOD; client++) take(counter, `client ${client}`);
    let total = 0;
    for (let client = 0; client < FLOOD; client++) {
      total += counter.state(`client ${client}`).current;
    }
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThanOrEqual(2 * MAX_WINDOWS_PER_GENERATION);
  });

  test('takes the same time per client at its end as at its start', () => {
    const { counter } = startCounter();
    const cpuOf = (first: number) => {
      const before = process.cpuUsage();
      for (let client = first; client < first + 20_000; client++) counter.add(`client ${client}`);
      const { user } = process.cpuUsage(before);
      return user;
    };
    cpuOf(-20_000);
    const start = cpuOf(0);
    for (let client = 20_000; client < FLOOD; client++) counter.add(`client ${client}`);
    const end = Math.min(...[0, 1, 2].map((time) => cpuOf(FLOOD + time * 20_000)));
    expect(end).toBeLessThan(10 * Math.max(start, 1000));
  });
});
