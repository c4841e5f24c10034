import { readFile, writeFile } from 'node:fs/promises';
import { FolderData } from '../../../server/store/json-file/data/folder-data.ts';
import {
  headerLine,
  journalPath,
  snapshotPath,
} from '../../../server/store/json-file/files/generations.ts';
import { loadFolder } from '../../../server/store/json-file/loading/load-folder.ts';
import { writeSnapshot } from '../../../server/store/json-file/snapshot.ts';

/**
 * Compacts the folder of a closed store, as the store does while it is open.
 *
 * @param now milliseconds since the epoch
 * @returns the text of the snapshot
 */
export async function compactFolder(folder: string, now: number): Promise<string> {
  const data = new FolderData(() => now);
  const { journals } = loadFolder(folder, data, (error) => {
    throw error;
  });
  const last = journals.at(-1);
  if (!last) throw new Error('the folder has no journal');
  const generation = last.generation + 1;
  await writeSnapshot({ folder, generation, data });
  const header = headerLine('journal', generation, last.bytes);
  await writeFile(journalPath(folder, generation), header, { mode: 0o600 });
  return readFile(snapshotPath(folder, generation), 'utf8');
}
