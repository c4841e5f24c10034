import { onTestFinished } from 'vitest';
import { openPostgresStore } from '../../../server/store/postgres/postgres-store.ts';
import type { Store } from '../../../server/store/store.ts';
import { NOW, type Subject } from '../../store/contract.ts';
import { newDatabase } from './databases.ts';

/** Opens a store in a new database, for the tests of all drivers. */
export async function openSubject(clock = () => NOW): Promise<Subject> {
  const url = await newDatabase();
  let store = await open(url, clock);
  onTestFinished(() => store.close());
  const reopen = async () => {
    await store.close();
    store = await open(url, clock);
    return store;
  };
  // Opening starts the maintenance.
  return { store, reopen, maintain: reopen };
}

/** Opens stores, like servers that share a database. They are closed when the test ends. */
export async function openStores(count: number, url: string): Promise<Store[]> {
  const stores = await Promise.all(Array.from({ length: count }, () => open(url)));
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });
  return stores;
}

function open(url: string, clock = () => NOW): Promise<Store> {
  return openPostgresStore(url, {
    clock,
    onError: (error) => {
      throw error;
    },
  });
}
