import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Opens files. A parameter of the store, so that tests can simulate a failing disk.
 *
 * @default `open` of node:fs/promises
 */
export type OpenFile = (path: string, flags: string, mode: number) => Promise<FileHandle>;

/**
 * Creates a file atomically and durably: writes it under a temporary name, syncs it and renames it,
 * then syncs the folder, which stores the name.
 *
 * @returns the file, still open
 */
export async function createDurably(
  path: string,
  text: string,
  openFile: OpenFile = open,
): Promise<FileHandle> {
  const temporary = `${path}.tmp`;
  let file: FileHandle | undefined;
  try {
    file = await openFile(temporary, 'w', 0o600);
    await file.writeFile(text);
    await file.sync();
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return file;
  } catch (error) {
    await file?.close().catch(() => undefined);
    // A full disk needs the space. If the folder is gone, there is nothing to remove.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
