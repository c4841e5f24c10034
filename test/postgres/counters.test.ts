import { describe, expect, onTestFinished, test } from 'vitest';
import type { StoredCounter, StoredCounters } from '../../server/store/counters.ts';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import { NOW } from '../store/contract.ts';
import { newDatabase } from './support/databases.ts';

const MINUTE_MS = 60_000;
const counter = (key: string, max: number): StoredCounter => ({ key, max, windowMs: MINUTE_MS });

/** The counters of two servers with one database. */
async function startServers() {
  const url = await newDatabase();
  const clock = { now: NOW };
  const open = async (): Promise<StoredCounters> => {
    const store = await openPostgresStore(url, {
      clock: () => clock.now,
      onError: (error) => {
        throw error;
      },
    });
    onTestFinished(() => store.close());
    if (!store.counters) throw new Error('the store has counters');
    return store.counters;
  };
  return { clock, one: await open(), two: await open() };
}

describe('counters in the database', () => {
  test('count up to the limit exactly, whichever server counts and however many at once', async () => {
    const { one, two } = await startServers();
    const limit = counter('client', 30);
    const calls = Array.from({ length: 100 }, (_, call) => (call % 2 ? one : two).take([limit]));
    const taken = await Promise.all(calls);
    const states = taken.flatMap((each) => (each.isCounted ? each.states : []));
    expect(states.map(({ current }) => current).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
    const refused = { isCounted: false, full: 0, waitMs: MINUTE_MS };
    expect(taken.filter(({ isCounted }) => !isCounted)).toEqual(Array(70).fill(refused));
    expect(await two.read(limit)).toEqual({ current: 30, ttl: MINUTE_MS });
  });

  test('count all or none of several', async () => {
    const { clock, one, two } = await startServers();
    const [wide, narrow, last] = [counter('network', 9), counter('client', 2), counter('key', 9)];
    await one.take([narrow]);
    clock.now += 1000;
    expect(await two.take([wide, narrow, last])).toEqual({
      isCounted: true,
      states: [
        { current: 1, ttl: MINUTE_MS },
        { current: 2, ttl: MINUTE_MS - 1000 },
        { current: 1, ttl: MINUTE_MS },
      ],
    });
    const refused = { isCounted: false, full: 1, waitMs: MINUTE_MS - 1000 };
    expect(await one.take([wide, narrow, last])).toEqual(refused);
    expect((await one.read(wide)).current).toBe(1);
    expect((await one.read(last)).current).toBe(1);
  });

  test('start again when their window has ended', async () => {
    const { clock, one } = await startServers();
    const limit = counter('client', 1);
    await one.take([limit]);
    clock.now += MINUTE_MS - 1;
    expect(await one.take([limit])).toEqual({ isCounted: false, full: 0, waitMs: 1 });
    clock.now += 1;
    expect(await one.read(limit)).toEqual({ current: 0, ttl: 0 });
    const states = [{ current: 1, ttl: MINUTE_MS }];
    expect(await one.take([limit])).toEqual({ isCounted: true, states });
  });

  test('that are taken back make room for another event, and no more than that', async () => {
    const { clock, one, two } = await startServers();
    const limit = counter('client', 1);
    await two.takeBack([limit]);
    await one.take([limit]);
    await two.takeBack([limit]);
    await two.takeBack([limit]);
    expect(await one.take([limit])).toMatchObject({ isCounted: true });
    expect(await one.take([limit])).toMatchObject({ isCounted: false });
    clock.now += MINUTE_MS;
    await two.takeBack([limit]);
    expect(await one.take([limit])).toMatchObject({ isCounted: true, states: [{ current: 1 }] });
  });

  test('do not wait for each other when many servers take and take back several', async () => {
    const { one, two } = await startServers();
    const both = [counter('network', 1000), counter('client', 1000)];
    const rounds = Array.from({ length: 50 }, async (_, round) => {
      const server = round % 2 ? one : two;
      await server.take(both);
      if (round % 5 === 0) await server.takeBack(both);
    });
    await Promise.all(rounds);
    expect(await Promise.all(both.map((each) => one.read(each)))).toMatchObject([
      { current: 40 },
      { current: 40 },
    ]);
  });
});

describe('events of several servers', () => {
  test('are summed up, and a limit that they reach together is listed for a while', async () => {
    const { clock, one, two } = await startServers();
    const limit = counter('guesser', 5);
    const other = counter('visitor', 5);
    await one.add([
      { ...limit, count: 3 },
      { ...other, count: 1 },
    ]);
    expect(await two.listFull(MINUTE_MS)).toEqual([]);
    clock.now += 1000;
    await two.add([
      { ...other, count: 1 },
      { ...limit, count: 2 },
    ]);
    expect(await one.listFull(500)).toEqual([{ key: 'guesser', ttl: MINUTE_MS - 1000 }]);
    clock.now += 2000;
    await two.add([{ ...limit, count: 1 }]);
    expect(await one.listFull(2000)).toEqual([]);
    expect(await one.listFull(2001)).toEqual([{ key: 'guesser', ttl: MINUTE_MS - 3000 }]);
    clock.now += MINUTE_MS;
    expect(await one.listFull(10 * MINUTE_MS)).toEqual([]);
    await one.add([{ ...limit, count: 1 }]);
    expect(await two.listFull(10 * MINUTE_MS)).toEqual([]);
  });
});
