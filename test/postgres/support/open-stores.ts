import { expect, onTestFinished } from 'vitest';
import type { Link } from '../../../server/store/link.ts';
import { parseConnectionUrl } from '../../../server/store/postgres/database/connection-url.ts';
import { Database } from '../../../server/store/postgres/database/database.ts';
import { Hosts } from '../../../server/store/postgres/database/hosts.ts';
import { openPostgresStore } from '../../../server/store/postgres/postgres-store.ts';
import { rollUpVisits } from '../../../server/store/postgres/statistics/visit-statistics.ts';
import type { Store } from '../../../server/store/store.ts';
import type { Time } from '../../../shared/time.ts';
import type { Subject } from '../../store/contract.ts';
import { isOwnDelay } from '../../support/is-own-delay.ts';
import { ManualTime, timeAt } from '../../support/manual-time.ts';
import { emptyDatabase, newDatabase } from './databases.ts';

/** Opens a store in a new database, for the tests of all drivers. */
export async function openSubject(): Promise<Subject> {
  const url = await emptyDatabase();
  const time = new ManualTime();
  let store = await open(url, time);
  onTestFinished(() => store.close());
  return {
    store,
    time,
    reopen: async () => {
      await store.close();
      store = await open(url, time);
      return store;
    },
    maintain: async () => {
      await withDatabase(url, (database) => rollUpVisits(database, time.now()));
      return store;
    },
  };
}

/** Opens a store until the callback is done. */
export async function withStore(
  url: string,
  use: (store: Store) => Promise<void>,
  time = timeAt(),
): Promise<void> {
  const store = await open(url, time);
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

/** Opens the database without a store. */
export async function withDatabase<T>(url: string, use: (database: Database) => Promise<T>) {
  const connection = parseConnectionUrl(url);
  const database = new Database(new Hosts(connection), connection.poolSize, rethrow);
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/** Opens stores, like servers that share a database. They are closed when the test ends. */
export async function openStores(count: number, url: string, time = timeAt()): Promise<Store[]> {
  const stores = await Promise.all(Array.from({ length: count }, () => open(url, time)));
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });
  return stores;
}

/** Opens two stores of a new database. */
export async function twoStores(): Promise<[Store, Store]> {
  const [one, other] = await openStores(2, await newDatabase());
  return [one as Store, other as Store];
}

function open(url: string, time: Time): Promise<Store> {
  return openPostgresStore(url, { time, onError: rethrow });
}

/** The link that the store has in memory after a look-up: it is not current for long. */
export async function lookUpUntilKnown(store: Store, alias: string): Promise<Link> {
  let known: Link | undefined;
  const lookUp = async () => {
    await store.findLink(alias);
    known = store.knownLink(alias);
    return known;
  };
  await expect.poll(lookUp).toBeDefined();
  return known as unknown as Link;
}

/** Passed as `onError`. */
export function rethrow(error: unknown): void {
  if (!isOwnDelay(error)) throw error;
}
