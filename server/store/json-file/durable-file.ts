import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Opens files; a parameter of the store, so that a test can give it a disk that fails.
 *
 * @default `open` of node:fs/promises
 */
export type OpenFile = (path: string, flags: string, mode: number) => Promise<FileHandle>;

/**
 * Makes a file that is there whole or not at all, whatever happens: written under a temporary
 * name, synced, renamed; then the folder is synced, since it is what holds the name.
 *
 * @returns the file, open for more
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
    // A full disk needs the room; a folder that is gone has nothing to remove.
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
