import { onTestFinished } from 'vitest';
import { readGenerations } from '../../../server/store/json-file/files/generations.ts';
import {
  type JsonFileOptions,
  openJsonFileStore,
} from '../../../server/store/json-file/json-file-store.ts';
import type { Store } from '../../../server/store/store.ts';
import { NOW } from '../contract.ts';

export function openFolder(folder: string, options: Partial<JsonFileOptions> = {}): Promise<Store> {
  return openJsonFileStore(folder, {
    clock: () => NOW,
    onError: (error) => {
      throw error;
    },
    onWarning: (message) => {
      throw new Error(`unexpected: ${message}`);
    },
    ...options,
  });
}

/** Opens a store that is closed after the test. */
export async function openUntilTestEnds(
  folder: string,
  options: Partial<JsonFileOptions> = {},
): Promise<Store> {
  const store = await openFolder(folder, options);
  onTestFinished(() => store.close());
  return store;
}

/** A second journal means that a snapshot is being written. */
export function isCompacting(folder: string): boolean {
  return readGenerations(folder).journals.length > 1;
}

/** The links of these aliases that the store has, each once. */
export async function linksOf(store: Store, aliases: string[]) {
  const found = await Promise.all(aliases.map((alias) => store.findLink(alias)));
  const links = found.filter((link) => link !== undefined);
  return [...new Map(links.map((link) => [link.id, link])).values()];
}
