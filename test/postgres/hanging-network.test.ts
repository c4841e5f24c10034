import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts';
import { type Store, StoreUnavailableError } from '../../server/store/store.ts';
import { addLink, editOf, NOW, newLink } from '../store/contract.ts';
import { timeAt } from '../support/manual-time.ts';
import { connectTo, newDatabase } from './support/databases.ts';

const COUNTED = {
  ...{ hour: NOW, people: 1, uniquePeople: 1, previews: 0, bots: 0 },
  tallies: new Map(),
};
const ENTRY = { time: NOW, action: 'block.add', target: 'host a', details: {} } as const;

test('calls fail within seconds while the network hangs, and known links are found', async () => {
  const proxy = await startProxy(await newDatabase());
  const store = await openTolerant(proxy.url);
  const link = await addLink(store, newLink('known'));
  const known = await store.findLink('known');
  proxy.hang();
  const start = performance.now();
  const calls = await Promise.allSettled([
    store.findLink('unknown'),
    store.addLink(newLink('late')),
    store.addLink(newLink('later')),
    store.editLink(editOf(link, { title: 'late' })),
    store.takeVisit(link.id),
    store.addVisits([{ ...COUNTED, linkId: link.id }]),
    // Administrators' actions do not wait for one another.
    ...Array.from({ length: 10 }, () => store.administration.addAuditEntry(ENTRY)),
    ...['a', 'b', 'c', 'd', 'e'].map((value) =>
      store.administration.addBlock({ kind: 'host', value, reason: '', since: NOW }),
    ),
  ]);
  expect(performance.now() - start).toBeLessThan(15_000);
  for (const call of calls) {
    expect(call.status === 'rejected' && call.reason).toBeInstanceOf(StoreUnavailableError);
  }
  const visit = performance.now();
  expect(await store.findLink('known')).toEqual(known);
  expect(performance.now() - visit).toBeLessThan(10_000);
  proxy.goOn();
  await expect.poll(() => store.findLink('unknown').catch(() => 'failed')).toBeUndefined();
  // What was sent before may be carried out now, so each try has an alias of its own.
  let tries = 0;
  await expect
    .poll(() => store.addLink(newLink(`again-${tries++}`)).catch(() => ({})))
    .toMatchObject({ kind: 'added' });
});

test('a call fails within seconds if all connections but those for visits are in use', async () => {
  const url = await newDatabase();
  const store = await openTolerant(`${url}?pool_size=3`);
  const link = await addLink(store, newLink('one'));
  const [blocker, reader] = [await connectTo(url), await connectTo(url)];
  const inUse = async () => {
    const { rows } = await reader.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.count;
  };
  const useAll = async (): Promise<unknown[]> => {
    await blocker.query(`BEGIN; SELECT FROM links FOR UPDATE`);
    const blockedAt = performance.now();
    const calls = [
      ...[1, 2].map((edit) => store.editLink(editOf(link, { title: `${edit}` }))),
      store.takeVisit(link.id),
    ].map((call) => call.catch((error: unknown) => error));
    await expect.poll(inUse).toBe(2);
    if (performance.now() - blockedAt < 1000) return calls;
    // They may be given up before the next call is.
    await blocker.query('ROLLBACK');
    await Promise.all(calls);
    return useAll();
  };
  const blocked = await useAll();
  const start = performance.now();
  expect(await store.findLink('unknown')).toBeUndefined();
  await expect(store.isAliasFree('unknown')).rejects.toThrow(StoreUnavailableError);
  expect(performance.now() - start).toBeLessThan(10_000);
  await blocker.query('ROLLBACK');
  await Promise.all(blocked);
  expect(await store.isAliasFree('unknown')).toBe(true);
});

async function openTolerant(url: string): Promise<Store> {
  const store = await openPostgresStore(url, { time: timeAt(), onError: () => {} });
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

/** Passes connections on to the database until it hangs, and then keeps them open in silence. */
async function startProxy(url: string) {
  const target = new URL(url);
  let isHanging = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('data', (data) => isHanging || to.write(data));
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const through = new URL(url);
  through.port = String(typeof address === 'object' && address?.port);
  return {
    url: through.href,
    hang: () => {
      isHanging = true;
    },
    goOn: () => {
      isHanging = false;
    },
  };
}
