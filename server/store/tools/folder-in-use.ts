import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/**
 * Whether a server has locked the folder. Changes nothing, unlike trying to lock it.
 *
 * @throws errors of SQLite if the lock is another kind of file
 */
export function isInUse(folder: string): boolean {
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
