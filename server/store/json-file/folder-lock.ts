import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreOpenError } from '../store.ts';

const SQLITE_BUSY = 5;
const SQLITE_NOT_A_DATABASE = 26;

/**
 * Keeps a second server off the folder. Node has no file locks of its own but for SQLite's, so an
 * empty database serves as the lock: the kernel holds it, also between containers, and lets go of
 * it when the process ends, however it ends. Nothing is ever written to it.
 *
 * @returns lets go of the lock
 * @throws StoreOpenError another process holds it; errors of node:fs if the file cannot be used
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  assertUsable(path);
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // In memory, or SQLite would put a journal beside the empty file.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const { errcode } = error as { errcode?: number };
    if (errcode === SQLITE_NOT_A_DATABASE) {
      throw new StoreOpenError(`${path} is not Curt's lock. Remove it, or choose another folder.`);
    }
    if (errcode !== SQLITE_BUSY) throw error;
    throw new StoreOpenError(
      `Another Curt server is using ${folder}. Stop it, or give this one a folder of its own with STORE_URL.`,
    );
  }
  return () => lock.close();
}

/**
 * SQLite does not say why it cannot open a file, and of one that may only be read it takes a lock
 * that others can share. Not by opening the file: closing it would release this process's lock.
 */
function assertUsable(path: string): void {
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
}
