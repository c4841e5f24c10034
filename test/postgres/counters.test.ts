import { describe, expect, onTestFinished, test } from 'vitest';
import type { StoredCounter, StoredCounters } from '../../server/store/counters.ts';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import { StoreUnavailableError } from '../../server/store/store.ts';
import { systemTime } from '../../shared/time.ts';
import { NOW, newLink } from '../store/contract.ts';
import { timeAt } from '../support/manual-time.ts';
import { connectTo, newDatabase } from './support/databases.ts';
import { rethrow } from './support/open-stores.ts';

const MINUTE_MS = 60_000;
const counter = (key: string, max: number): StoredCounter => ({ key, max });

type Addition = StoredCounter & { count: number };

/** The counters of two servers with one database. */
async function startServers() {
  const url = await newDatabase();
  const clock = { now: NOW };
  const open = async (): Promise<StoredCounters> => {
    const store = await openPostgresStore(url, {
      time: { ...systemTime, now: () => clock.now },
      onError: rethrow,
    });
    onTestFinished(() => store.close());
    if (!store.counters) throw new Error('the store has counters');
    return store.counters;
  };
  return { clock, one: await open(), two: await open() };
}

test('counters that are kept do not make a server ready that cannot keep links', async () => {
  const url = await newDatabase();
  const store = await openPostgresStore(url, { time: timeAt(), onError: () => {} });
  onTestFinished(() => store.close());
  await (await connectTo(url)).query('DROP TABLE aliases, secrets');
  await expect(store.addLink(newLink('one'))).rejects.toThrow(StoreUnavailableError);
  await store.counters?.take([counter('client', 9)], MINUTE_MS);
  await expect(store.checkWritable()).rejects.toThrow(StoreUnavailableError);
});

describe('counters in the database', () => {
  test('count up to the limit exactly, whichever server counts and however many at once', async () => {
    const { one, two } = await startServers();
    const limit = counter('client', 30);
    const calls = Array.from({ length: 100 }, (_, call) =>
      (call % 2 ? one : two).take([limit], MINUTE_MS),
    );
    const taken = await Promise.all(calls);
    const counted = taken.filter(({ isCounted }) => isCounted);
    expect(counted.map(({ current }) => current).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
    const rejected = { isCounted: false, current: 30, ttl: MINUTE_MS };
    expect(taken.filter(({ isCounted }) => !isCounted)).toEqual(Array(70).fill(rejected));
    expect(await two.read([limit])).toEqual([{ current: 30, ttl: MINUTE_MS }]);
  });

  test('count all or none of several', async () => {
    const { clock, one, two } = await startServers();
    const [wide, narrow, last] = [counter('network', 9), counter('client', 2), counter('key', 9)];
    await one.take([narrow], MINUTE_MS);
    clock.now += 1000;
    expect(await two.take([wide, narrow, last], MINUTE_MS)).toEqual({
      isCounted: true,
      current: 1,
      ttl: MINUTE_MS,
    });
    const states = [
      { current: 1, ttl: MINUTE_MS },
      { current: 2, ttl: MINUTE_MS - 1000 },
      { current: 1, ttl: MINUTE_MS },
    ];
    expect(await one.read([wide, narrow, last])).toEqual(states);
    const rejected = { isCounted: false, current: 2, ttl: MINUTE_MS - 1000 };
    expect(await one.take([wide, narrow, last], MINUTE_MS)).toEqual(rejected);
    expect(await one.read([wide, narrow, last])).toEqual(states);
  });

  test('start again when their window has ended', async () => {
    const { clock, one } = await startServers();
    const limit = counter('client', 1);
    await one.take([limit], MINUTE_MS);
    clock.now += MINUTE_MS - 1;
    const rejected = { isCounted: false, current: 1, ttl: 1 };
    expect(await one.take([limit], MINUTE_MS)).toEqual(rejected);
    clock.now += 1;
    expect(await one.read([limit])).toEqual([{ current: 0, ttl: 0 }]);
    const counted = { isCounted: true, current: 1, ttl: MINUTE_MS };
    expect(await one.take([limit], MINUTE_MS)).toEqual(counted);
  });

  test('that are taken back make room for another event, and no more than that', async () => {
    const { clock, one, two } = await startServers();
    const limit = counter('client', 1);
    await two.takeBack([limit]);
    await one.take([limit], MINUTE_MS);
    await two.takeBack([limit]);
    await two.takeBack([limit]);
    expect(await one.take([limit], MINUTE_MS)).toMatchObject({ isCounted: true });
    expect(await one.take([limit], MINUTE_MS)).toMatchObject({ isCounted: false });
    clock.now += MINUTE_MS;
    await two.takeBack([limit]);
    expect(await one.take([limit], MINUTE_MS)).toMatchObject({ isCounted: true, current: 1 });
  });

  test('do not wait for each other when many servers take and take back several', async () => {
    const { one, two } = await startServers();
    const both = [counter('network', 1000), counter('client', 1000)];
    const rounds = Array.from({ length: 50 }, async (_, round) => {
      const server = round % 2 ? one : two;
      await server.take(both, MINUTE_MS);
      if (round % 5 === 0) await server.takeBack(both);
    });
    await Promise.all(rounds);
    expect(await one.read(both)).toMatchObject([{ current: 40 }, { current: 40 }]);
  });
});

describe('events of several servers', () => {
  test('are summed up, and a limit that they reach together is listed for a while', async () => {
    const { clock, one, two } = await startServers();
    const limit = counter('guesser', 5);
    const other = counter('visitor', 5);
    const exchange = (server: StoredCounters, additions: Addition[], sinceMs = MINUTE_MS) =>
      server.exchange(additions, MINUTE_MS, sinceMs);
    const first = [
      { ...limit, count: 3 },
      { ...other, count: 1 },
    ];
    expect(await exchange(one, first)).toEqual([]);
    expect(await exchange(two, [])).toEqual([]);
    clock.now += 1000;
    const full = { key: 'guesser', ttl: MINUTE_MS - 1000 };
    const second = [
      { ...other, count: 1 },
      { ...limit, count: 2 },
    ];
    expect(await exchange(two, second)).toEqual([full]);
    expect(await exchange(one, [], 500)).toEqual([full]);
    clock.now += 2000;
    await exchange(two, [{ ...limit, count: 1 }]);
    expect(await exchange(one, [], 2000)).toEqual([]);
    expect(await exchange(one, [], 2001)).toEqual([{ key: 'guesser', ttl: MINUTE_MS - 3000 }]);
    clock.now += MINUTE_MS;
    expect(await exchange(one, [], 10 * MINUTE_MS)).toEqual([]);
    await exchange(one, [{ ...limit, count: 1 }]);
    expect(await exchange(two, [], 10 * MINUTE_MS)).toEqual([]);
  });
});
