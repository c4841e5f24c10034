import { chmod } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { journalPath, readGenerations } from '../../../server/store/json-file/files/generations.ts';
import {
  type JsonFileOptions,
  type JsonFileStore,
  openJsonFileStore,
} from '../../../server/store/json-file/json-file-store.ts';
import type { Store } from '../../../server/store/store.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { newFolder } from '../../support/new-folder.ts';
import { addLink, newLink } from '../contract.ts';

export function openFolder(
  folder: string,
  options: Partial<JsonFileOptions> = {},
): Promise<JsonFileStore> {
  return openJsonFileStore(folder, {
    time: new ManualTime(),
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
): Promise<JsonFileStore> {
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

/**
 * A folder as a stopped server leaves it, with its first journal.
 *
 * @param batches of links that are written together, or single links
 */
export async function folderWith(...batches: (string | string[])[]) {
  const folder = await newFolder();
  await chmod(folder, 0o700);
  const store = await openFolder(folder);
  await store.secret();
  for (const batch of batches) {
    await Promise.all([batch].flat().map((alias) => addLink(store, newLink(alias))));
  }
  await store.close();
  return { folder, journal: journalPath(folder, 1) };
}
