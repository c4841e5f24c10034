import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreOpenError } from '../../store.ts';

const SQLITE_BUSY = 5;
const SQLITE_NOT_A_DATABASE = 26;

/**
 * Locks the folder, so that no second server can use it. Node.js has no file locks except SQLite's, so
 * an empty database serves as the lock. The kernel enforces it, also between containers, and releases
 * it when the process ends for any reason. Nothing is ever written to it.
 *
 * @returns a function that releases the lock
 * @throws StoreOpenError if another process has the lock; errors of node:fs if it cannot be opened
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  assertUsable(path);
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // Otherwise SQLite would create a journal file next to the database.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const { errcode } = error as { errcode?: number };
    if (errcode === SQLITE_NOT_A_DATABASE) {
      throw new StoreOpenError(
        `${path} is not a lock file of Curt. Remove it, or choose another folder.`,
      );
    }
    if (errcode !== SQLITE_BUSY) throw error;
    throw new StoreOpenError(
      `Another Curt server is using ${folder}. Stop it, or set STORE_URL to another folder.`,
    );
  }
  return () => lock.close();
}

/**
 * Whether a server has locked the folder. Changes nothing, unlike trying to lock it.
 *
 * @throws errors of SQLite if the lock is another kind of file
 */
export function isLocked(folder: string): boolean {
  const path = join(folder, 'lock');
  if (!existsSync(path)) return false;
  const lock = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    lock.exec('SELECT * FROM sqlite_schema');
    return false;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return true;
    throw error;
  } finally {
    lock.close();
  }
}

/**
 * SQLite does not report why it cannot open a file, and takes only a shared lock on a read-only file.
 * This must not open the file: closing it would release this process's lock.
 */
function assertUsable(path: string): void {
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
}
