import { onTestFinished } from 'vitest';
import { parseConnectionUrl } from '../../../server/store/postgres/database/connection-url.ts';
import { Database } from '../../../server/store/postgres/database/database.ts';
import { Hosts } from '../../../server/store/postgres/database/hosts.ts';
import { openPostgresStore } from '../../../server/store/postgres/postgres-store.ts';
import { rollUpVisits } from '../../../server/store/postgres/statistics/visit-statistics.ts';
import type { Store } from '../../../server/store/store.ts';
import { NOW, type Subject } from '../../store/contract.ts';
import { isOwnDelay } from '../../support/is-own-delay.ts';
import { emptyDatabase, newDatabase } from './databases.ts';

/** Opens a store in a new database, for the tests of all drivers. */
export async function openSubject(clock = () => NOW): Promise<Subject> {
  const url = await emptyDatabase();
  let store = await open(url, clock);
  onTestFinished(() => store.close());
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await open(url, clock);
      return store;
    },
    // Opening starts it, too, but does not wait for it.
    maintain: async () => {
      await withDatabase(url, (database) => rollUpVisits(database, clock()));
      return store;
    },
  };
}

/** Opens a store until the callback is done. */
export async function withStore(
  url: string,
  use: (store: Store) => Promise<void>,
  clock = () => NOW,
): Promise<void> {
  const store = await open(url, clock);
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
export async function openStores(count: number, url: string, clock = () => NOW): Promise<Store[]> {
  const stores = await Promise.all(Array.from({ length: count }, () => open(url, clock)));
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

function open(url: string, clock = () => NOW): Promise<Store> {
  return openPostgresStore(url, {
    clock,
    onError: rethrow,
  });
}

/** Passed as `onError`. */
export function rethrow(error: unknown): void {
  if (!isOwnDelay(error)) throw error;
}
